import { toolPrint } from "../../state/finding.ts";
import type { Observation } from "../../state/observation.ts";
import type { Detector } from "./detector.ts";
import { equalTail } from "./seed-ryvos.ts";

/**
 * Tool guardrails: failures of one tool, of one call and in total since the last success, and equal answers of
 * idempotent tools. Warns, blocks the tool until a person sends a message, ends the run.
 */
export const seedToolGuardrails: Detector<"seed-tool-guardrails"> = {
  name: "seed-tool-guardrails",
  reason: "tool_failures",
  isClosedByNoCall: true,
  detect({ newest, history }, { warn = 0, block = 0, halt = 0 }) {
    if (!wasExecuted(newest)) return undefined;
    const calls = history.filter((call) => call.personTurn === newest.personTurn && wasExecuted(call));
    const { hasFailed, isIdempotent } = outcomeOf(newest);
    const escalation = escalate(countOutcomes(calls.map(outcomeOf)), {
      sameToolWarn: warn,
      sameToolBlock: block,
      sameArgsBlock: block,
      totalHalt: halt,
      noProgressWarn: NO_PROGRESS_WARN,
      noProgressBlock: block,
    });
    if (escalation === undefined) return undefined;
    // A write or a failure does not change how the reads before it were answered.
    if (escalation.cause === "noProgress" && (hasFailed || !isIdempotent)) return undefined;
    const series = calls
      .slice(calls.findLastIndex((call) => outcomeOf(call).hasFailed !== hasFailed) + 1)
      .map(({ index }) => index);
    return {
      count: { warn, block, halt }[escalation.level], // the count of the rung that is reached
      evidence: series,
      cause: `${newest.tool} ${series[0]}`,
      prints: [toolPrint(newest.tool)],
      skipsLevels: true,
    };
  },
};

/** A call that was refused or interrupted has neither failed nor succeeded. */
function wasExecuted({ outcome: { status } }: Observation): boolean {
  return status !== "denied" && status !== "interrupted";
}

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

/** No failure since the last success. */
export const noFailures: Failures = {
  sameToolFailures: 0,
  sameArgsStreak: 0,
  totalFailures: 0,
  lastToolName: "",
  lastToolArgs: "",
};

/** Adds a failure. */
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

/** An answer of an idempotent tool: tool, arguments, result. */
export type ToolAnswer = readonly [tool: string, args: string, result: string];

/** The number of equal answers to the same call at the end of the list. */
export function equalAnswers(answers: readonly ToolAnswer[]): number {
  return equalTail(answers, (a, b) => a.every((part, i) => part === b[i]));
}

/** One executed call. Its arguments and its result are keys that are compared for equality only. */
export interface ToolOutcome {
  readonly tool: string;
  readonly args: string;
  readonly result: string;
  readonly hasFailed: boolean;
  /** Calling it again changes nothing, so an equal answer is no progress. */
  readonly isIdempotent: boolean;
}

/** The four numbers that escalate. */
export interface ToolCounts extends Pick<Failures, "sameToolFailures" | "sameArgsStreak" | "totalFailures"> {
  readonly noProgress: number;
}

/** The four numbers of a history, oldest first. */
export function countOutcomes(outcomes: readonly ToolOutcome[]): ToolCounts {
  const failures = outcomes.reduce(
    (counted, { tool, args, hasFailed }) => (hasFailed ? afterFailure(counted, tool, args) : noFailures),
    noFailures,
  );
  const answers = outcomes.flatMap(({ tool, args, result, hasFailed, isIdempotent }) =>
    isIdempotent && !hasFailed ? [[tool, args, result] satisfies ToolAnswer] : [],
  );
  return { ...failures, noProgress: equalAnswers(answers) };
}

/** The counts at which the rule escalates; 0 is never. */
export interface ToolThresholds {
  readonly sameToolWarn: number;
  readonly sameToolBlock: number;
  readonly sameArgsBlock: number;
  readonly totalHalt: number;
  readonly noProgressWarn: number;
  readonly noProgressBlock: number;
}

/** Not among the rungs of the policy. */
const NO_PROGRESS_WARN = 2;

/** The document of this rule gives no defaults; these are Sheepdog's own. */
export const defaultThresholds: ToolThresholds = {
  sameToolWarn: 3,
  sameToolBlock: 5,
  sameArgsBlock: 5,
  totalHalt: 8,
  noProgressWarn: NO_PROGRESS_WARN,
  noProgressBlock: 5,
};

/** The level that the counts have reached, and the count that has reached it. */
export interface ToolEscalation {
  readonly level: "warn" | "block" | "halt";
  readonly cause: keyof ToolCounts;
}

/** The highest level that any count has reached. */
export function escalate(counts: ToolCounts, thresholds: ToolThresholds): ToolEscalation | undefined {
  const rung = ladder.find(
    ([, cause, threshold]) => thresholds[threshold] > 0 && counts[cause] >= thresholds[threshold],
  );
  return rung && { level: rung[0], cause: rung[1] };
}

const ladder: readonly (readonly [ToolEscalation["level"], keyof ToolCounts, keyof ToolThresholds])[] = [
  ["halt", "totalFailures", "totalHalt"],
  ["block", "sameArgsStreak", "sameArgsBlock"],
  ["block", "sameToolFailures", "sameToolBlock"],
  ["block", "noProgress", "noProgressBlock"],
  ["warn", "sameToolFailures", "sameToolWarn"],
  ["warn", "noProgress", "noProgressWarn"],
];
