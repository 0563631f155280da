import type { SavedRun } from "@sheepdog/agent";
import type { RecordedRun } from "@sheepdog/records";
import { isTime, type RecordedEvents } from "../recordings/recorded-events.ts";
import type { RunSummary } from "../saved-runs/run-summary.ts";
import { isGoodOutcome } from "./good-outcome.ts";

/** A recording with its events, and what is known of it besides. */
export interface RecordedSummaryInput extends RecordedEvents {
  readonly id: string;
  readonly recording: RecordedRun;
  readonly prompt: string;
  readonly model: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number | null | undefined;
  readonly workspace: string | null | undefined;
  readonly interventions: number;
}

/** A recording as the summary of a run: where it says how it ended, that is its state. */
export function recordedRunSummary(input: RecordedSummaryInput): RunSummary {
  const { id, recording, prompt, model, startedAt, endedAt, workspace, events, totals, interventions } = input;
  const { outcome } = recording;
  const state = outcome === undefined || isGoodOutcome(outcome) ? "completed" : "error";
  const run: SavedRun = {
    runId: id,
    prompt,
    startedAt,
    endedAt: Math.max(isTime(endedAt ?? undefined) ? (endedAt ?? 0) : 0, events.at(-1)?.at ?? 0),
    ...totals,
    state,
    ...(workspace === undefined || workspace === null ? {} : { workspace }),
    ...(model === undefined ? {} : { model }),
  };
  return {
    sessionId: id,
    run,
    state,
    turns: run.turns,
    costNanoUsd: run.costNanoUsd,
    interventions: { count: interventions, highest: undefined, questions: 0 },
    ended: {},
    limits: {},
    isLast: true,
    subagents: [],
    isDemo: false,
  };
}
