import type { DetectorName } from "./detector-rungs.ts";
import type { Limit, LimitName } from "./limit.ts";
import type { Mode } from "./mode.ts";
import type { Rungs } from "./rungs.ts";
import type { ToolRule } from "./tool-rule.ts";

/** The number of subagents that a run may have. */
export interface SpawnAllowance {
  /** Levels below the run: 1 is a subagent, 2 a subagent of that one. */
  readonly depth: number;
  readonly perRun: number;
  readonly perMinute: number;
}

/**
 * What a money limit does when the price of a model is unknown: `refuse-under-limit` ends the run,
 * `count-tokens` says so once and relies on the limits of tokens, turns and time.
 */
export type Unpriced = "refuse-under-limit" | "count-tokens";
export const unpricedModes: readonly Unpriced[] = ["refuse-under-limit", "count-tokens"];

/**
 * When a second opinion is wanted: before the first refusal and before the end of the run, or also before anything is
 * said.
 */
export type SecondOpinion = "off" | "before-force" | "always";
export const secondOpinionModes: readonly SecondOpinion[] = ["off", "before-force", "always"];

/** How a guardian judges: detectors with their rungs, limits, mode, and rules for tools. */
export interface Policy {
  readonly name: string;
  readonly mode: Mode;
  /** Multiplies the `block` and `halt` rungs while the run is attended. */
  readonly attendedScale: number;
  /** Milliseconds without a sign of life that are a stall. */
  readonly stallMs: number;
  readonly spawn: SpawnAllowance;
  readonly unpriced: Unpriced;
  /** `off` unless the caller answers requests for an opinion. */
  readonly secondOpinion: SecondOpinion;
  /** The number of characters of each argument that tell calls apart; all when absent. */
  readonly argumentChars?: number;
  /** An absent detector is off. */
  readonly detectors: Readonly<Partial<Record<DetectorName, Rungs>>>;
  /** An absent limit is off. */
  readonly limits: Readonly<Partial<Record<LimitName, Limit>>>;
  readonly tools: readonly ToolRule[];
}
