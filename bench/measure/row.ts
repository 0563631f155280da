import type { Ratio } from "./rounds.ts";

/** One measured line of the report. */
export interface Row {
  readonly what: string;
  /** What it is divided by. */
  readonly to: string;
  /** null where it could not be measured; `note` says why. */
  readonly ratio: Ratio | null;
  /** The most it may be; absent where there is no goal. */
  readonly goal?: number;
  readonly isMet?: boolean;
  readonly note?: string;
}

/** A row held against its goal. */
export function row(what: string, to: string, ratio: Ratio, goal?: number): Row {
  return { what, to, ratio, ...(goal === undefined ? {} : { goal, isMet: ratio.median <= goal }) };
}

/** A row that could not be measured. */
export function missing(what: string, to: string, note: string): Row {
  return { what, to, ratio: null, note };
}
