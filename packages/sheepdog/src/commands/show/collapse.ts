import type { CallItem, Item } from "../../render/timeline/item.ts";

/** An item, how often it came in a row, and in which turns. */
export interface Repeated {
  readonly item: Item;
  readonly times: number;
  readonly from: number;
  readonly to: number;
}

/** Items that belong to the same turns. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Repeated[];
}

/** Equal calls with the same end, one after the other, are one that came several times. The first is shown. */
export function collapse(items: readonly Item[]): readonly Repeated[] {
  const all: Repeated[] = [];
  for (const item of items) {
    const turn = "turn" in item ? item.turn : (all.at(-1)?.to ?? 0);
    const last = all.at(-1);
    if (item.type === "call" && last?.item.type === "call" && isSame(item, last.item))
      all[all.length - 1] = { ...last, times: last.times + 1, to: turn };
    else all.push({ item, times: 1, from: turn, to: turn });
  }
  return all;
}

/** Puts items together whose turns overlap. */
export function stretches(items: readonly Repeated[]): readonly Stretch[] {
  const all: { from: number; to: number; items: Repeated[] }[] = [];
  for (const each of items) {
    const last = all.at(-1);
    if (last === undefined || each.from > last.to) all.push({ from: each.from, to: each.to, items: [each] });
    else {
      last.items.push(each);
      last.to = Math.max(last.to, each.to);
    }
  }
  return all;
}

function isSame(one: CallItem, other: CallItem): boolean {
  return (
    one.tool === other.tool &&
    one.status === other.status &&
    one.blockedBy === other.blockedBy &&
    textOf(one) === textOf(other)
  );
}

function textOf({ input }: CallItem): string | undefined {
  return JSON.stringify(input);
}
