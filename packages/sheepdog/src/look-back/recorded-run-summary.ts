import type { SavedRun } from "@sheepdog/agent";
import { type Level, levels } from "@sheepdog/guardian";
import type { RecordedRun } from "@sheepdog/records";
import type { RecordedEvents } from "../recordings/recorded-events.ts";
import { isTime } from "../recordings/recorded-times.ts";
import { isLive } from "../saved-runs/run-state.ts";
import type { RunSummary } from "../saved-runs/run-summary.ts";
import { type AttachedState, attachedState } from "./attached/attached-state.ts";
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
  /** Milliseconds since 1970: a session may still be recorded. */
  readonly now: number;
}

/** A recording as the summary of a run: where it says how it ended, that is its state. */
export function recordedRunSummary(input: RecordedSummaryInput): RunSummary {
  const { id, recording, prompt, model, startedAt, endedAt, workspace, events, totals, interventions, now } = input;
  const { state, reason } = stateOf(recording, now);
  const lastAt = Math.max(isTime(endedAt ?? undefined) ? (endedAt ?? 0) : 0, events.at(-1)?.at ?? 0);
  const run: SavedRun = {
    runId: id,
    prompt,
    startedAt,
    ...(isLive(state) ? {} : { endedAt: lastAt }),
    ...totals,
    state: state === "broken_off" ? "running" : state,
    ...(reason === undefined ? {} : { reason }),
    ...(workspace === undefined || workspace === null ? {} : { workspace }),
    ...(model === undefined ? {} : { model }),
  };
  return {
    sessionId: id,
    run,
    state,
    turns: run.turns,
    costNanoUsd: run.costNanoUsd,
    interventions: { count: interventions, highest: highestLevel(recording), questions: 0 },
    ended: {},
    limits: {},
    isLast: true,
    subagents: [],
    isDemo: false,
  };
}

function stateOf(recording: RecordedRun, now: number): AttachedState {
  if (recording.guardian !== undefined) return attachedState(recording, now);
  const { outcome } = recording;
  return { state: outcome === undefined || isGoodOutcome(outcome) ? "completed" : "error", reason: undefined };
}

/** The highest level of an attached guardian that took effect. */
function highestLevel({ guardian }: RecordedRun): Level | undefined {
  const applied = (guardian?.acts ?? []).flatMap((act) =>
    act.type === "intervention" && act.intervention.isApplied ? act.intervention.level : [],
  );
  return levels.findLast((level) => applied.includes(level));
}
