import type { Sketch } from "../perceive/print.ts";
import type { DetectorName } from "../policy.ts";

/** What advice fits: the cause as far as the outcome tells it. */
export type Advice =
  | "change-approach"
  | "read-error"
  | "unknown-tool"
  | "invalid-arguments"
  | "edit-mismatch"
  | "authentication"
  | "rate-limit"
  | "timeout"
  | "poll"
  | "already-done"
  | "already-known"
  | "refused";

/** What a detector saw. */
export interface Finding {
  readonly detector: DetectorName;
  /** What makes two findings one: the same call, the same failure, the same set of calls. */
  readonly cause: string;
  /** The number of equal calls; fractional where they are merely similar. */
  readonly count: number;
  /** Indexes of the calls that show it, oldest first, the newest last. */
  readonly evidence: readonly number[];
  readonly tool: string;
  /** The words of the newest call's arguments, to tell a related change from an unrelated one. */
  readonly words: Sketch;
  /** Prints to deny once the level is `block`. */
  readonly prints: readonly string[];
  readonly advice: Advice;
  /** All that was counted is the very same call. */
  readonly isExact: boolean;
  /** One redacted line of the newest result. */
  readonly excerpt?: string;
  /** The name closest to a tool that does not exist. */
  readonly closest?: string;
  /** How many different calls take part, where it is more than one. */
  readonly period?: number;
}
