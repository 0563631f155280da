import { type CallDetectorName, detectors } from "./judge/detectors/index.ts";
import type { ToolKind } from "./signal.ts";

/** How loud an intervention is. */
export type Level = "hint" | "warn" | "block" | "halt";

/** What the caller must do about it. `interrupt` ends the stream, keeps what is new, and goes on. */
export type Effect = "tell" | "interrupt" | "deny" | "stop";

/** `guide` uses all rungs; `advise` never denies a call; `observe` computes everything and does nothing. */
export type Mode = "guide" | "advise" | "observe";

/** The detectors: those that look at calls, and those of streams, time and budgets. */
export type DetectorName = CallDetectorName | "chant" | "monologue" | "stall" | "spawn" | "compaction";

/** All of them, for tables and for checking what people write. */
export const detectorNames: readonly DetectorName[] = [...detectors.map((detector) => detector.name), "chant", "monologue", "stall", "spawn", "compaction"];

/** The budgets. `context` is in percent of the window, costs in nano-dollars, `time` in milliseconds. */
export const limitNames = ["context", "run-tokens", "run-cost", "session-cost", "day-cost", "month-cost", "turns", "time"] as const;
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

/** A budget warns once and stops once, in every mode. */
export interface Limit {
  readonly warn?: number;
  readonly stop?: number;
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

/** How a guardian judges: detectors with their rungs, limits, mode, and rules for tools. */
export interface Policy {
  readonly name: string;
  readonly mode: Mode;
  /** Multiplies the `block` and `halt` rungs while a person watches. */
  readonly attendedScale: number;
  readonly stallMs: number;
  /** A detector that is absent is off. */
  readonly detectors: Readonly<Partial<Record<DetectorName, Rungs>>>;
  /** A limit that is absent does not hold. */
  readonly limits: Readonly<Partial<Record<LimitName, Limit>>>;
  readonly tools: readonly ToolRule[];
}

/** The rule for a tool, if one matches. */
export function ruleFor(policy: Policy, tool: string): ToolRule | undefined {
  return policy.tools.find((rule) => matchesGlob(rule.match, tool));
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
