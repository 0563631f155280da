import type { FoldRange } from "./find-folds.ts";
import type { Item } from "./item.ts";

/** Finds rows by sequence numbers; an event without a row belongs to the row before it. */
export function rowFinder(
  items: readonly Item[],
  rows: readonly { readonly from: number; readonly to: number }[],
  stepsOfFold: ReadonlyMap<FoldRange, readonly number[]>,
): (seq: number) => number {
  let index:
    | { readonly seqs: readonly number[]; readonly rows: readonly number[]; readonly exact: Map<number, number> }
    | undefined;
  const build = () => {
    const rowOfItem = new Map<number, number>();
    rows.forEach((row, place) => {
      for (let item = row.from; item <= row.to; item += 1) rowOfItem.set(item, place);
    });
    const rowOfStart = new Map(rows.map((row, place) => [row.from, place]));
    for (const [fold, steps] of stepsOfFold)
      for (const step of steps) rowOfItem.set(step, rowOfStart.get(fold.start) ?? -1);
    const exact = new Map<number, number>();
    const pairs: (readonly [number, number])[] = [];
    items.forEach((item, place) => {
      const row = rowOfItem.get(place);
      if (row === undefined) return;
      exact.set(item.seq, row);
      if (item.type === "call" && item.call.endSeq !== null) exact.set(item.call.endSeq, row);
      pairs.push([item.seq, row]);
    });
    pairs.sort(([a], [b]) => a - b);
    return { seqs: pairs.map(([seq]) => seq), rows: pairs.map(([, row]) => row), exact };
  };
  return (seq) => {
    index ??= build();
    const exact = index.exact.get(seq);
    if (exact !== undefined) return exact;
    const after = index.seqs.findIndex((each) => each > seq);
    const place = after < 0 ? index.seqs.length - 1 : Math.max(0, after - 1);
    return index.rows[place] ?? -1;
  };
}
