import { type ResumeContext, raisedResumeCommand } from "./resume-command.ts";
import type { RunSummary } from "./run-summary.ts";

/** A run as JSON, for `runs` and `show`. `costUsd` includes subagents, and is null if a price is unknown. */
export function runDocument(summary: RunSummary, context: ResumeContext): Readonly<Record<string, unknown>> {
  const { sessionId, run, state, turns, costNanoUsd, interventions, subagents, isDemo, ended } = summary;
  return {
    runId: run.runId,
    sessionId,
    agent: summary.agent ?? "sheepdog",
    parentSessionId: run.billingSessionId ?? null,
    state,
    reason: run.reason ?? null,
    isStoppedByUser: ended.isStoppedByUser === true || state === "cancelled",
    prompt: run.prompt,
    workspace: run.workspace ?? null,
    model: run.model ?? null,
    startedAt: isoTime(run.startedAt),
    endedAt: run.endedAt === undefined ? null : isoTime(run.endedAt),
    turns,
    usage: run.usage,
    isDemo,
    costUsd: costNanoUsd === null ? null : costNanoUsd / 1e9,
    interventions: { count: interventions.count, highest: interventions.highest ?? null },
    resume: raisedResumeCommand(summary, context) ?? null,
    subagents: subagents.map((subagent) => runDocument(subagent, context)),
  };
}

/** A saved time as an ISO string; null if it is not a valid time. */
export function isoTime(at: number): string | null {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
