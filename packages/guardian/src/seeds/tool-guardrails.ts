import {
  afterFailure,
  defaultThresholds,
  equalAnswers,
  escalate,
  type Failures,
  noFailures,
  type ToolAnswer,
  type ToolThresholds,
} from "../detect/detectors/seed-tool-guardrails.ts";
import { plainDigest } from "../perceive/hash.ts";
import { asText } from "./tool-calls.ts";

/** The number of stored results, and so the largest count of equal ones. */
const RECENT = 32;

/** The counters of a turn, as plain JSON; arguments and results as digests only. A new turn starts with `fresh()`. */
export interface LoopState extends Failures {
  /** For the rest of the turn. */
  readonly blockedTools: readonly string[];
  readonly halted: boolean;
  /** The newest 32 results of idempotent tools: the tool, and digests of its arguments and its result. */
  readonly recentResults: readonly ToolAnswer[];
}

/** What to do next: the highest level that a count has reached. */
export type Escalation =
  | { readonly type: "none" }
  | { readonly type: "warn"; readonly reason: string }
  | { readonly type: "block-tool"; readonly name: string; readonly reason: string }
  | { readonly type: "halt-loop"; readonly reason: string };

/** The state before the first call. */
export function fresh(): LoopState {
  return { ...noFailures, blockedTools: [], halted: false, recentResults: [] };
}

/** Counts a failed call. Arguments are compared as JSON with sorted keys. */
export function recordFailure(state: LoopState, toolName: string, args: unknown): LoopState {
  return { ...state, ...afterFailure(state, toolName, digestOf(args)) };
}

/**
 * Counts a call that succeeded: failures start at zero, and the result is stored to detect equal answers.
 * Pass no result if the tool is not idempotent: the rule compares the answers of idempotent tools only.
 */
export function recordSuccess(state: LoopState, toolName: string, args: unknown, result?: unknown): LoopState {
  const answers: readonly ToolAnswer[] = result === undefined ? [] : [[toolName, digestOf(args), digestOf(result)]];
  return { ...state, ...noFailures, recentResults: [...state.recentResults, ...answers].slice(-RECENT) };
}

/** The number of equal results of the same call at the end of the list. */
export function noProgressCount(state: LoopState): number {
  return equalAnswers(state.recentResults);
}

/**
 * What to do now. A halted loop stays halted; otherwise the highest reached threshold decides. A threshold of 0 is
 * off.
 */
export function escalation(state: LoopState, thresholds: Partial<ToolThresholds> = {}): Escalation {
  const limits = checked(thresholds);
  if (state.halted) return { type: "halt-loop", reason: "The loop was halted." };
  const counts = { ...state, noProgress: noProgressCount(state) };
  const reached = escalate(counts, limits);
  if (reached === undefined) return { type: "none" };
  const { level, cause } = reached;
  const name = cause === "noProgress" ? (state.recentResults.at(-1)?.[0] ?? "") : state.lastToolName;
  const reason = reasons[cause](counts[cause], name);
  switch (level) {
    case "warn":
      return { type: "warn", reason };
    case "block":
      return { type: "block-tool", name, reason };
    case "halt":
      return { type: "halt-loop", reason };
    default:
      return level satisfies never;
  }
}

/** Blocks a tool for the rest of the turn. */
export function blockTool(state: LoopState, toolName: string): LoopState {
  return isBlocked(state, toolName) ? state : { ...state, blockedTools: [...state.blockedTools, toolName] };
}

/** Whether a tool is blocked. */
export function isBlocked(state: LoopState, toolName: string): boolean {
  return state.blockedTools.includes(toolName);
}

/** Halts the loop permanently. */
export function halt(state: LoopState): LoopState {
  return { ...state, halted: true };
}

/** Arguments and results are compared for equality only. */
function digestOf(value: unknown): string {
  return plainDigest.of(asText(value));
}

const reasons = {
  totalFailures: (count: number) => `${count} calls have failed since the last one that succeeded.`,
  sameArgsStreak: (count: number, name: string) =>
    `${name} has failed ${count} times in a row with the same arguments.`,
  sameToolFailures: (count: number, name: string) => `${name} has failed ${count} times in a row.`,
  noProgress: (count: number, name: string) =>
    `${name} has given the same answer to the same call ${count} times in a row.`,
};

function checked(thresholds: unknown): ToolThresholds {
  if (typeof thresholds !== "object" || thresholds === null)
    throw new TypeError(`Expected thresholds as one object, like { totalHalt: 8 }, got ${String(thresholds)}.`);
  const limits: ToolThresholds = { ...defaultThresholds, ...thresholds };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isInteger(limit) || limit < 0)
      throw new RangeError(`Expected ${name} to be a whole number from 0 (off) up, got ${String(limit)}.`);
    if (name.startsWith("noProgress") && limit > RECENT)
      throw new RangeError(`Expected ${name} to be at most ${RECENT}, the number of results remembered, got ${limit}.`);
  }
  return limits;
}
