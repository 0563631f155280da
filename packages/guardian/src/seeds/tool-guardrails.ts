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

/** How many results are remembered; a count of equal ones goes no further. */
const RECENT = 32;

/** All that is known of a turn, as a value that survives JSON: arguments and results by their digests only. A new turn begins with `fresh()`. */
export interface LoopState extends Failures {
  /** For the rest of the turn. */
  readonly blockedTools: readonly string[];
  readonly halted: boolean;
  /** The newest results of idempotent tools, at most 32: the tool, and digests of what it was asked and what it answered. */
  readonly recentResults: readonly ToolAnswer[];
}

/** What to do next, the strongest of what the counts ask for. */
export type Escalation =
  | { readonly type: "none" }
  | { readonly type: "warn"; readonly reason: string }
  | { readonly type: "block-tool"; readonly name: string; readonly reason: string }
  | { readonly type: "halt-loop"; readonly reason: string };

/** A state in which nothing has happened. */
export function fresh(): LoopState {
  return { ...noFailures, blockedTools: [], halted: false, recentResults: [] };
}

/** Counts a failed call. Arguments that are no text are compared as JSON with sorted keys. */
export function recordFailure(state: LoopState, toolName: string, args: unknown): LoopState {
  return { ...state, ...afterFailure(state, toolName, digestOf(args)) };
}

/**
 * Counts a call that succeeded: failures begin anew, and the result is remembered to notice the same answer again.
 * Leave the result out where the tool is not idempotent: the document tracks idempotent tools only and leaves open how one is known, so the caller says it.
 */
export function recordSuccess(state: LoopState, toolName: string, args: unknown, result?: unknown): LoopState {
  const answers: readonly ToolAnswer[] = result === undefined ? [] : [[toolName, digestOf(args), digestOf(result)]];
  return { ...state, ...noFailures, recentResults: [...state.recentResults, ...answers].slice(-RECENT) };
}

/** How many of the newest results are the same result of the same call. */
export function noProgressCount(state: LoopState): number {
  return equalAnswers(state.recentResults);
}

/** What to do now: a halted loop stays halted, and of the counts that have reached their threshold the strongest decides. A threshold of 0 is off. */
export function escalation(state: LoopState, thresholds: Partial<ToolThresholds> = {}): Escalation {
  const limits = checked(thresholds);
  if (state.halted) return { type: "halt-loop", reason: "The loop was halted." };
  const counts = { ...state, noProgress: noProgressCount(state) };
  const found = escalate(counts, limits);
  if (found === undefined) return { type: "none" };
  const { level, cause } = found;
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

/** Halts the loop for good. */
export function halt(state: LoopState): LoopState {
  return { ...state, halted: true };
}

/** Of arguments and results only equality is asked. */
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
