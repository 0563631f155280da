import { basename } from "node:path";
import type { RunRow } from "@sheepdog/web/contract";
import { isLive } from "../../../saved-runs/run-state.ts";
import { loopSpend } from "../../../saved-runs/trace/loops.ts";
import { openRequests } from "../../../saved-runs/trace/run-trace.ts";
import { toUsd } from "../../../sentences/amount-text.ts";
import { taskText } from "../../../sentences/first-sentence.ts";
import { doingSentence, outcomeSentence } from "../../../sentences/outcome-sentence.ts";
import { shortened } from "../../../sentences/shortened.ts";
import { limitStop } from "../run-data/limit-stop.ts";
import { outcomeFacts } from "../run-data/outcome-facts.ts";
import type { RunData } from "../run-data/run-data.ts";
import { guardianMark } from "./guardian-mark.ts";
import { runSpark } from "./run-spark.ts";

/** Characters of a prompt in a list. */
const MAX_PROMPT_CHARS = 500;

/** A run as one row, without the command that resumes it: that one depends on the configuration. */
export function runRow(data: RunData): RunRow {
  const { kind, source, summary, trace } = data;
  const { run, state } = summary;
  const startedAt = time(run.startedAt) ?? 0;
  const isRunning = isLive(state);
  const costUsd = toUsd(summary.costNanoUsd);
  const facts = outcomeFacts(data);
  return {
    id: run.runId,
    kind,
    source,
    sessionId: kind === "recording" ? "" : summary.sessionId,
    sentence: outcomeSentence(facts),
    doing: isRunning ? (doingSentence(facts) ?? null) : null,
    prompt: shortened(run.prompt, MAX_PROMPT_CHARS),
    task: taskText(run.prompt),
    state: summary.ended.isStoppedByUser === true ? "cancelled" : state,
    reason: data.recorded?.outcome ?? run.reason ?? null,
    isLive: isRunning,
    isDemo: summary.isDemo,
    waitsFor: isRunning ? waitsFor(data) : null,
    project: projectOf(run.workspace),
    workspace: run.workspace ?? null,
    model: run.model ?? trace.start?.model ?? null,
    startedAt,
    endedAt: time(run.endedAt) ?? null,
    turns: Math.max(summary.turns, isRunning ? trace.turn : 0),
    costUsd,
    limitUsd: toUsd(limitStop(trace.limits, "run-cost") ?? summary.limits.costNanoUsd),
    loopUsd: costUsd === null ? null : summary.isDemo ? 0 : toUsd(loopSpend(data.loops, trace)),
    guardian: guardianMark(data),
    goal: goalState(data),
    spark: runSpark(data),
    resumeCommand: null,
    resumeProblem: null,
    canFork: kind === "run" && run.billingSessionId === undefined && !summary.isDemo,
  };
}

/**
 * The cost that the page of a run tells, in nano-dollars. Of a demo it is what the events say, although nothing was
 * paid: lists and sums have 0.
 */
export function runCost({ summary, trace }: RunData): number | null {
  if (!summary.isDemo) return summary.costNanoUsd;
  const last = trace.costs.at(-1);
  return last === undefined ? 0 : last.nanoUsd;
}

/** The name of a workspace's folder. */
export function projectOf(workspace: string | undefined): string | null {
  if (workspace === undefined || workspace === "") return null;
  return basename(workspace) || workspace;
}

/** Whether the goal of a run is reached; null if it has none. */
export function goalState({ summary, trace }: RunData): RunRow["goal"] {
  const { run, state } = summary;
  if (run.goal === undefined) return null;
  if (run.reason === "goal_accepted" || (run.reason === "answered" && trace.verdict?.verdict === "accept"))
    return "met";
  return isLive(state) ? "open" : "not met";
}

/** What the run asks the user now. */
function waitsFor({ trace }: RunData): RunRow["waitsFor"] {
  const { questions, approvals, replies } = openRequests(trace);
  if (questions.length > 0) return "question";
  if (approvals.length > 0) return "approval";
  return replies.length > 0 ? "reply" : null;
}

function time(at: number | undefined): number | undefined {
  return typeof at === "number" && Number.isFinite(at) ? at : undefined;
}
