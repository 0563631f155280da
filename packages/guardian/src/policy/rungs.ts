/** How strong an intervention is. */
export type Level = "hint" | "warn" | "block" | "halt";

/** The levels in ascending order. */
export const levels: readonly Level[] = ["hint", "warn", "block", "halt"];

/** The count at which each level is reached; a missing rung is skipped. */
export interface Rungs {
  readonly hint?: number;
  readonly warn?: number;
  readonly block?: number;
  readonly halt?: number;
}
