import { all, type CallDetectorName, type SeedName, type WatcherName } from "./judge/detectors/index.ts";
import type { ToolKind } from "./signal.ts";

/** How loud an intervention is. */
export type Level = "hint" | "warn" | "block" | "halt";

/** What the caller must do about it. `interrupt` ends the stream, keeps what is new, and goes on. */
export type Effect = "tell" | "interrupt" | "deny" | "stop";

/** `guide` uses all rungs; `advise` never denies a call; `observe` computes everything and does nothing. */
export type Mode = "guide" | "advise" | "observe";

/** The detectors: those that look at calls, those of streams, time and subagents, and the rules of the seed systems. */
export type DetectorName = CallDetectorName | WatcherName | SeedName;

/** All of them, for tables and for checking what people write. */
export const detectorNames: readonly DetectorName[] = all.map((detector) => detector.name);

/** The budgets. `context` is in percent of the window, costs in nano-dollars, `time` in milliseconds. `turns` and `time` are counted here, the others told. */
export const limitNames = [
  "context",
  "run-tokens",
  "run-cost",
  "session-cost",
  "day-cost",
  "month-cost",
  "time",
  "turns",
] as const;
export type LimitName = (typeof limitNames)[number];

/** The levels in the order they are climbed. */
export const levels: readonly Level[] = ["hint", "warn", "block", "halt"];

/** The count at which each level speaks; a missing rung is skipped. */
export interface Rungs {
  readonly hint?: number;
  readonly warn?: number;
  readonly block?: number;
  readonly halt?: number;
}

/** A budget warns once and stops once, in every mode. Zero is off. */
export interface Limit {
  readonly warn?: number | undefined;
  readonly stop?: number | undefined;
}

/** What is different for the tools whose name matches a glob; the first rule that matches holds. */
export interface ToolRule {
  /** `*` any characters, `?` one; the whole name, case ignored. */
  readonly match: string;
  readonly kind?: ToolKind;
  /** Detectors that do not look at these tools; `all` for every one. */
  readonly off?: readonly DetectorName[] | "all";
  /** Multiplies the rungs: 2 is twice as patient. */
  readonly scale?: number;
}

/** How many subagents a run may have. */
export interface SpawnAllowance {
  /** How deep below the run: 1 is a subagent, 2 a subagent of that. */
  readonly depth: number;
  readonly perRun: number;
  readonly perMinute: number;
}

/** What to do about a money limit where the price of a model is unknown: end the run, or say so once and rely on the limits of tokens, turns and time. */
export type Unpriced = "refuse-under-limit" | "count-tokens";

/** How a guardian judges: detectors with their rungs, limits, mode, and rules for tools. */
export interface Policy {
  readonly name: string;
  readonly mode: Mode;
  /** Multiplies the `block` and `halt` rungs while a person watches. */
  readonly attendedScale: number;
  /** How long nothing may be heard before it is a stall. */
  readonly stallMs: number;
  readonly spawn: SpawnAllowance;
  readonly unpriced: Unpriced;
  /** How many characters of each argument's value tell calls apart; all of them where it is absent. */
  readonly argumentChars?: number;
  /** A detector that is absent is off. */
  readonly detectors: Readonly<Partial<Record<DetectorName, Rungs>>>;
  /** A limit that is absent does not hold. */
  readonly limits: Readonly<Partial<Record<LimitName, Limit>>>;
  readonly tools: readonly ToolRule[];
}

/** The rule for a tool, if one matches. */
export function ruleFor(policy: Policy, tool: string): ToolRule | undefined {
  for (const rule of policy.tools) if (matchesGlob(rule.match, tool)) return rule;
  return undefined;
}

/** Whether a name matches a glob of `*` and `?`. Linear: no pattern can make it slow. */
export function matchesGlob(glob: string, name: string): boolean {
  const pattern = glob.toLowerCase();
  const text = name.toLowerCase();
  let p = 0;
  let t = 0;
  let star = -1;
  let retry = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      retry = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++retry;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
