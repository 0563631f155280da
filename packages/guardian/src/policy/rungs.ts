import type { Mode } from "./mode.ts";

/** How strong an intervention is. */
export type Level = "hint" | "warn" | "block" | "halt";

/** The levels in ascending order. */
export const levels: readonly Level[] = ["hint", "warn", "block", "halt"];

/** Whether a level is more than a message: the end of the run, or a refusal, which `advise` turns into a message. */
export function isForce(level: Level, mode: Mode): boolean {
  return level === "halt" || (level === "block" && mode !== "advise");
}

/** The count at which each level is reached; a missing rung is skipped. */
export interface Rungs {
  /** Below the hint: a second opinion is wanted, if the policy says `always`. */
  readonly suspect?: number;
  readonly hint?: number;
  readonly warn?: number;
  readonly block?: number;
  readonly halt?: number;
}
