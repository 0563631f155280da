import { bounds } from "../bounds.ts";
import type { Sketch } from "../perceive/print.ts";
import type { DetectorName, LimitName } from "../policy.ts";

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
  | "refused"
  | "stop-repeating"
  | "act"
  | "empty"
  | "retry"
  | "tool-timeout"
  | "next-step"
  | "no-subagent"
  | "other-task"
  | "finish"
  | "no-price";

/** What a detector saw, or a limit that was reached. */
export interface Finding {
  readonly detector: DetectorName | LimitName;
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
  readonly excerpt?: string | undefined;
  /** The name closest to a tool that does not exist. */
  readonly closest?: string | undefined;
  /** How many different calls take part, where it is more than one; of a chant, how many characters. */
  readonly period?: number;
  /** How often a stream has repeated itself, and how many characters of it can be cut off so that two repetitions are left. */
  readonly times?: number;
  readonly surplus?: number;
  /** How long nothing was heard. */
  readonly seconds?: number;
  /** What is waited for, or why it is refused. */
  readonly subject?: string;
  /** What telling it means, where that is more: the stream has to end. `isEachTime`: whenever it is seen, not once a level. */
  readonly effect?: "interrupt";
  /** It goes on within the turn, and may climb there: nobody can be told before it ends. */
  readonly isUrgent?: true;
  readonly isEachTime?: true;
  /** The agent can do nothing about it. */
  readonly isForUser?: true;
  /** Ids of what is about to begin and is refused once the level is `block`. */
  readonly pending?: readonly string[];
  /** The highest rung that is reached speaks, whatever was said before. */
  readonly isDirect?: true;
  /** Index of the last finished call, where calls are about to be made. */
  readonly call?: number;
  /** What was used of a limit; not `isPriced` where that cannot be told in money. */
  readonly budget?: Budget;
}

/** How far a limit has been used. */
export interface Budget {
  readonly used: number;
  readonly of: number;
  /** Reaching it ends the run. */
  readonly isHard: boolean;
  readonly isPriced: boolean;
  /** What it is a share of, in tokens. */
  readonly share?: { readonly tokens: number; readonly max: number } | undefined;
}

/** A finding that is about no call. */
export function findingOf(
  detector: Finding["detector"],
  noticed: Pick<Finding, "cause" | "count"> & Partial<Finding>,
): Finding {
  return {
    evidence: [],
    tool: "",
    words: "",
    prints: [],
    advice: "change-approach",
    isExact: false,
    ...noticed,
    detector,
    cause: `${detector}:${noticed.cause}`,
  };
}

/** What stands for every call of a tool where prints are refused. */
export function toolPrint(tool: string): string {
  return `tool ${tool}`;
}

/** Adds a finding; of several about one cause in a turn the newest speaks. */
export function noted(found: readonly Finding[], more: Finding): readonly Finding[] {
  return [...found.filter((finding) => finding.cause !== more.cause), more].slice(-bounds.found);
}
