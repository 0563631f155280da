import type { Sketch } from "../perceive/print.ts";
import type { DetectorName } from "../policy/detector-rungs.ts";
import type { LimitName } from "../policy/limit.ts";
import type { ContextSize } from "../signal.ts";
import { bounds } from "./bounds.ts";

/** The advice that fits the cause, as far as the outcome tells it. */
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
  | "refused"
  | "stop-repeating"
  | "act"
  | "say-what-is-missing"
  | "empty"
  | "retry"
  | "tool-timeout"
  | "slow-tool"
  | "long-reply"
  | "stop-thinking"
  | "next-step"
  | "no-subagent"
  | "other-task"
  | "finish"
  | "compaction-soon"
  | "no-price";

/** The evidence of one detector about one cause, or a limit that was reached. */
export interface Finding {
  readonly detector: DetectorName | LimitName;
  /** Findings with an equal cause belong to one episode: the same call, the same failure, the same set of calls. */
  readonly cause: string;
  /** The number of equal calls; fractional where they are merely similar. */
  readonly count: number;
  /** The number of equal calls with equal outcomes, for the levels that use force; `count` when absent. */
  readonly exactCount?: number | undefined;
  /** Indexes of the calls that show it, oldest first. */
  readonly evidence: readonly number[];
  /** The tool of the newest call. */
  readonly tool: string;
  /** How many calls were counted: more than `count` where they are merely similar. */
  readonly times?: number | undefined;
  /** The tools of the counted calls in the order of their first call, if there are several. */
  readonly tools?: readonly string[] | undefined;
  /** The number of these tools, where their names are not stored. */
  readonly toolCount?: number | undefined;
  /** The words of the newest call's arguments, to tell a related change from an unrelated one. */
  readonly words: Sketch;
  /** Prints to deny once the level is `block`. */
  readonly prints: readonly string[];
  /** Calls to deny as well, because the counted calls were nearly the same but not equal. */
  readonly similarCalls?: SimilarCalls | undefined;
  readonly advice: Advice;
  /** All counted calls are exactly equal. */
  readonly isExact: boolean;
  /** One redacted line of the newest result. */
  readonly excerpt?: string | undefined;
  /** The announced name closest to a tool that does not exist. */
  readonly closest?: string | undefined;
  /** The number of different calls in a cycle; the number of characters in a chant. */
  readonly period?: number;
  /** How often a pattern was repeated. */
  readonly repetitions?: number;
  /** Characters of a stream that can be cut off so that two repetitions are left. */
  readonly surplus?: number;
  readonly silentSeconds?: number;
  /** What the run is waiting for, or why a subagent is refused. */
  readonly subject?: string;
  /** Telling is not enough: the stream has to end. */
  readonly effect?: "interrupt";
  /** It may climb several levels within a turn. */
  readonly isUrgent?: true;
  /** Interrupts whenever it is found, not once a level. */
  readonly interruptsEachTime?: true;
  /** For the user only: the agent cannot do anything about it. */
  readonly isForUser?: true;
  /** Ids of calls or subagents that are about to start and are refused once the level is `block`. */
  readonly pendingIds?: readonly string[];
  /** The highest rung that is reached applies at once. */
  readonly skipsLevels?: true;
  /** Index of the last finished call, for findings about calls that are about to be made. */
  readonly call?: number;
  readonly budget?: Budget;
}

/** The newest of the calls of an episode that are nearly the same, to recognise the next one. */
export interface SimilarCalls {
  readonly tool: string;
  readonly words: Sketch;
  readonly target: string | undefined;
}

/** How far a limit has been used. */
export interface Budget {
  readonly used: number;
  /** Held by other requests in addition. */
  readonly reserved?: number | undefined;
  /** What the next request is estimated at, if that is more than what is left. */
  readonly needed?: number | undefined;
  readonly of: number;
  /** Reaching it ends the run. */
  readonly isHard: boolean;
  /** False when the cost cannot be told because a price is unknown. */
  readonly isPriced: boolean;
  /** The tokens behind a percentage. */
  readonly share?: ContextSize | undefined;
}

/** Completes a finding with defaults, and makes its cause unique to the detector. */
export function createFinding(
  detector: Finding["detector"],
  detection: Pick<Finding, "cause" | "count"> & Partial<Finding>,
): Finding {
  return {
    evidence: [],
    tool: "",
    words: "",
    prints: [],
    advice: "change-approach",
    isExact: false,
    ...detection,
    detector,
    cause: `${detector}:${detection.cause}`,
  };
}

/** A print that stands for every call of a tool. */
export function toolPrint(tool: string): string {
  return `tool ${tool}`;
}

/** Adds a finding. It replaces an earlier one of the turn about the same cause. */
export function withFinding(findings: readonly Finding[], finding: Finding): readonly Finding[] {
  return [...findings.filter(({ cause }) => cause !== finding.cause), finding].slice(-bounds.findings);
}
