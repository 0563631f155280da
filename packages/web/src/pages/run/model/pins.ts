import type { InterventionView } from "../../../contract/index.ts";
import type { MarkLevel } from "../../../parts/level-mark.tsx";
import type { Axis } from "./axis.ts";
import type { Item } from "./item.ts";

/** A glyph on the guardian's lane. */
export interface Pin {
  readonly seq: number;
  readonly at: number;
  readonly x: number;
  /** `you`: an answer or a command of the user. */
  readonly level: MarkLevel | "you";
  readonly isApplied: boolean;
  readonly label: string;
  /** Whether it is shown, or only reached by keys because others are in its place. */
  readonly isShown: boolean;
}

const rank: Readonly<Record<Pin["level"], number>> = {
  halt: 6,
  limit: 5,
  recovered: 4,
  block: 3,
  warn: 2,
  hint: 1,
  you: 0,
};

interface PinOptions {
  readonly axis: Axis;
  readonly selectedSeq: number | null;
  /** The smallest distance of two pins, in percent of the width. */
  readonly minGap: number;
}

/** The pins of the lane, in order of time. Where they would cover each other, the selected and the strongest stay. */
export function pinsOf(
  interventions: readonly InterventionView[],
  items: readonly Item[],
  { axis, selectedSeq, minGap }: PinOptions,
): readonly Pin[] {
  const candidates = [
    ...interventions.map(
      ({ seq, at, level, isLimit, isApplied, detector }): Omit<Pin, "x" | "isShown"> => ({
        seq,
        at,
        level: isLimit ? "limit" : level,
        isApplied,
        label: isLimit ? `Limit ${detector}` : `${isApplied ? "" : "Would have: "}${level}, ${detector}`,
      }),
    ),
    ...items.flatMap((item): Omit<Pin, "x" | "isShown">[] => {
      if (item.type === "recovered")
        return [{ seq: item.seq, at: item.at, level: "recovered", isApplied: true, label: "Recovered" }];
      if ((item.type === "answer" && item.answer !== "none") || item.type === "muted")
        return [{ seq: item.seq, at: item.at, level: "you", isApplied: true, label: personLabel(item) }];
      return [];
    }),
  ]
    .map((pin) => ({ ...pin, x: axis.x(pin.at) }))
    .filter(({ x }) => x >= -0.5 && x <= 100.5)
    .sort((a, b) => a.at - b.at || a.seq - b.seq);
  const shown: { readonly seq: number; readonly x: number; readonly level: Pin["level"] }[] = [];
  const isSelected = ({ seq }: { readonly seq: number }) => seq === selectedSeq;
  for (const pin of candidates.toSorted(
    (a, b) => Number(isSelected(b)) - Number(isSelected(a)) || rank[b.level] - rank[a.level] || a.at - b.at,
  ))
    if (shown.every(({ x }) => Math.abs(x - pin.x) >= minGap)) shown.push(pin);
  return candidates.map((pin) => ({ ...pin, isShown: shown.some(({ seq }) => seq === pin.seq) }));
}

function personLabel(item: Extract<Item, { readonly type: "answer" | "muted" }>): string {
  if (item.type === "muted") return item.text;
  return { stop: "You stopped it", continue: "You let it continue", tell: "You told it something", none: "" }[
    item.answer
  ];
}
