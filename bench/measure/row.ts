import type { Ratio } from "./rounds.ts";

/** One measured line of a report. */
export interface Row {
  readonly what: string;
  /** The divisor. */
  readonly to: string;
  /** null when it could not be measured; `note` says why. */
  readonly ratio: Ratio | null;
  /** The largest ratio that meets the goal; absent when the row has no goal. */
  readonly goal?: number;
  readonly isMet?: boolean;
  readonly note?: string;
}

/** A measured row, compared with its goal if it has one. */
export function row(what: string, to: string, ratio: Ratio, goal?: number): Row {
  return { what, to, ratio, ...(goal === undefined ? {} : { goal, isMet: ratio.median <= goal }) };
}

/** A row that could not be measured. */
export function missing(what: string, to: string, note: string): Row {
  return { what, to, ratio: null, note };
}
