import type { Observation } from "../../remembered-calls.ts";
import { toolPrint } from "../finding.ts";
import type { Detector } from "./detector.ts";
import { equalTail } from "./seed-ryvos.ts";

/**
 * Tool guardrails: failures of one tool, of one call and in all since the last success, and equal answers of idempotent tools.
 * Warns, blocks the tool until a person speaks, ends the run. Counts up to the rung that is asked for.
 */
export const seedToolGuardrails: Detector<"seed-tool-guardrails"> = {
  name: "seed-tool-guardrails",
  rungs: { warn: 3, block: 5, halt: 8 },
  reason: "tool_failures",
  isLasting: true,
  detect({ newest, history }, { warn = 0, block = 0, halt = 0 }) {
    const own = history.filter((each) => each.personTurn === newest.personTurn);
    const { hasFailed, isIdempotent } = outcomeOf(newest);
    const thresholds = {
      sameToolWarn: warn,
      sameToolBlock: block,
      sameArgsBlock: block,
      totalHalt: halt,
      noProgressWarn: NO_PROGRESS_WARN,
      noProgressBlock: block,
    };
    const asked = escalate(countOutcomes(own.map(outcomeOf)), thresholds);
    // A write or a failure changes nothing in how the reads before it were answered, and is not what they are blamed for.
    if (asked === undefined || (asked.cause === "noProgress" && (hasFailed || !isIdempotent))) return undefined;
    const series = own
      .slice(own.findLastIndex((each) => outcomeOf(each).hasFailed !== hasFailed) + 1)
      .map(({ index }) => index);
    const count = { warn, block, halt }[asked.level];
    return {
      count,
      evidence: series,
      cause: `${newest.tool} ${series[0]}`,
      prints: [toolPrint(newest.tool)],
      isDirect: true,
    };
  },
};

function outcomeOf({ tool, kind, call, outcome }: Observation): ToolOutcome {
  return {
    tool,
    args: call.exact,
    result: outcome.exact,
    hasFailed: outcome.failure !== undefined,
    isIdempotent: kind === "read" || kind === "poll",
  };
}

/** Failures since the last success. */
export interface Failures {
  /** Of the tool that failed last, in a row. */
  readonly sameToolFailures: number;
  /** Of the call that failed last, in a row. */
  readonly sameArgsStreak: number;
  readonly totalFailures: number;
  readonly lastToolName: string;
  readonly lastToolArgs: string;
}

/** Before the first failure, and after every success. */
export const noFailures: Failures = {
  sameToolFailures: 0,
  sameArgsStreak: 0,
  totalFailures: 0,
  lastToolName: "",
  lastToolArgs: "",
};

/** One more failure. */
export function afterFailure(failures: Failures, tool: string, args: string): Failures {
  const isSameTool = failures.lastToolName === tool;
  return {
    sameToolFailures: isSameTool ? failures.sameToolFailures + 1 : 1,
    sameArgsStreak: isSameTool && failures.lastToolArgs === args ? failures.sameArgsStreak + 1 : 1,
    totalFailures: failures.totalFailures + 1,
    lastToolName: tool,
    lastToolArgs: args,
  };
}

/** What an idempotent tool answered: tool, arguments, result. */
export type ToolAnswer = readonly [tool: string, args: string, result: string];

/** How many of the newest answers are the same answer to the same call. */
export function equalAnswers(answers: readonly ToolAnswer[]): number {
  return equalTail(answers, (a, b) => a.every((part, place) => part === b[place]));
}

/** One executed call, by keys: of its arguments and its result only equality is asked. */
export interface ToolOutcome {
  readonly tool: string;
  readonly args: string;
  readonly result: string;
  readonly hasFailed: boolean;
  /** To call it again changes nothing, so the same answer again is no progress. */
  readonly isIdempotent: boolean;
}

/** The four numbers that escalate. */
export interface ToolCounts extends Pick<Failures, "sameToolFailures" | "sameArgsStreak" | "totalFailures"> {
  readonly noProgress: number;
}

/** The four numbers of a history, oldest first. */
export function countOutcomes(outcomes: readonly ToolOutcome[]): ToolCounts {
  const failures = outcomes.reduce(
    (before, { tool, args, hasFailed }) => (hasFailed ? afterFailure(before, tool, args) : noFailures),
    noFailures,
  );
  const answers = outcomes.flatMap(({ tool, args, result, hasFailed, isIdempotent }) =>
    isIdempotent && !hasFailed ? [[tool, args, result] satisfies ToolAnswer] : [],
  );
  return { ...failures, noProgress: equalAnswers(answers) };
}

/** The counts from which on something is done; 0 is never. */
export interface ToolThresholds {
  readonly sameToolWarn: number;
  readonly sameToolBlock: number;
  readonly sameArgsBlock: number;
  readonly totalHalt: number;
  readonly noProgressWarn: number;
  readonly noProgressBlock: number;
}

/** The rungs of the policy do not tell it. */
const NO_PROGRESS_WARN = 2;

/** The document of this rule gives no defaults: these are ours. */
export const defaultThresholds: ToolThresholds = {
  sameToolWarn: 3,
  sameToolBlock: 5,
  sameArgsBlock: 5,
  totalHalt: 8,
  noProgressWarn: NO_PROGRESS_WARN,
  noProgressBlock: 5,
};

/** What the counts ask for, and the count that asks for it. */
export interface ToolEscalation {
  readonly level: "warn" | "block" | "halt";
  readonly cause: keyof ToolCounts;
}

/** The strongest that any count asks for. */
export function escalate(counts: ToolCounts, thresholds: ToolThresholds): ToolEscalation | undefined {
  const found = ladder.find(
    ([, cause, threshold]) => thresholds[threshold] > 0 && counts[cause] >= thresholds[threshold],
  );
  return found && { level: found[0], cause: found[1] };
}

const ladder: readonly (readonly [ToolEscalation["level"], keyof ToolCounts, keyof ToolThresholds])[] = [
  ["halt", "totalFailures", "totalHalt"],
  ["block", "sameArgsStreak", "sameArgsBlock"],
  ["block", "sameToolFailures", "sameToolBlock"],
  ["block", "noProgress", "noProgressBlock"],
  ["warn", "sameToolFailures", "sameToolWarn"],
  ["warn", "noProgress", "noProgressWarn"],
];
