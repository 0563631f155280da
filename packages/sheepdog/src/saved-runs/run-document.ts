import { type ResumeContext, raisedResumeCommand } from "./resume-command.ts";
import type { RunSummary } from "./run-summary.ts";

/** A run in JSON, as `runs` and `show` print it. Times are ISO strings; `costUsd` is with its subagents, and null where a price is unknown. */
export function runDocument(kept: RunSummary, here: ResumeContext): Readonly<Record<string, unknown>> {
  const { sessionId, run, state, turns, costNanoUsd, interventions, subagents } = kept;
  return {
    runId: run.runId,
    sessionId,
    parentSessionId: run.billingSessionId ?? null,
    state,
    reason: run.reason ?? null,
    prompt: run.prompt,
    workspace: run.workspace ?? null,
    model: run.model ?? null,
    startedAt: isoTime(run.startedAt),
    endedAt: run.endedAt === undefined ? null : isoTime(run.endedAt),
    turns,
    usage: run.usage,
    costUsd: costNanoUsd === null ? null : costNanoUsd / 1e9,
    interventions: { count: interventions.count, highest: interventions.highest ?? null },
    resume: raisedResumeCommand(kept, here) ?? null,
    subagents: subagents.map((child) => runDocument(child, here)),
  };
}

/** A time that was kept as an ISO string; null where it is none. */
export function isoTime(at: number): string | null {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
