import type { SavedRun } from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import { analyze, type RecordedRun } from "@sheepdog/records";
import type { RecordingEntry } from "../../../recordings/recording-library.ts";
import type { NumberedCall } from "../../../saved-runs/notice-effect.ts";
import type { RunSummary } from "../../../saved-runs/run-summary.ts";
import { loopsOf } from "../../../saved-runs/trace/loops.ts";
import { readTrace } from "../../../saved-runs/trace/read-trace.ts";
import { callIdOf, isTime, recordedEvents } from "./recorded-events.ts";
import type { RunData } from "./run-data.ts";

/** A recording, and how the guardian judges it. */
export interface JudgedRecording {
  readonly entry: RecordingEntry;
  readonly recording: RecordedRun;
  readonly policy: Policy;
}

/** A recording of another agent in the form of a run: with the same events, and with what the guardian would do. */
export function recordedRunData({ entry, recording, policy }: JudgedRecording): RunData {
  const { steps } = recording;
  const firstAt = [entry.startedAt, ...steps.map(({ at }) => at)].find(isTime) ?? 0;
  const prompt = entry.task ?? recording.task ?? "";
  const model = entry.model ?? recording.model;
  const { events, result } = recordedEvents({
    id: entry.id,
    recording,
    startedAt: firstAt,
    prompt,
    model,
    policyName: policy.name,
    interventions: analyze(recording, policy).interventions,
  });
  const { state, reason, text, turns, usage, costNanoUsd } = result;
  const run: SavedRun = {
    runId: entry.id,
    prompt,
    startedAt: firstAt,
    endedAt: Math.max(isTime(entry.endedAt) ? entry.endedAt : 0, events.at(-1)?.at ?? 0),
    ...{ state, reason, text, turns, usage, costNanoUsd },
    ...(entry.workspace === undefined ? {} : { workspace: entry.workspace }),
    ...(model === undefined ? {} : { model }),
  };
  const calls: readonly NumberedCall[] = steps
    .flatMap((step) => step.calls)
    .map(({ name, args }, index) => ({ id: callIdOf(index), tool: name, input: args }));
  const trace = readTrace(events);
  return {
    kind: "recording",
    source: entry.source,
    summary: summaryOf(run, trace.interventions.length),
    events,
    unreadable: 0,
    calls,
    messages: [],
    trace,
    loops: loopsOf(trace, calls),
    startedCalls: [],
    lastWords: steps.findLast(({ text: said }) => said.trim() !== "")?.text,
    sessionRuns: [run],
  };
}

function summaryOf(run: SavedRun, interventions: number): RunSummary {
  const { runId, state, turns, costNanoUsd } = run;
  return {
    sessionId: runId,
    run,
    state,
    turns,
    costNanoUsd,
    interventions: { count: interventions, highest: undefined, questions: 0 },
    ended: {},
    limits: {},
    isLast: true,
    subagents: [],
    isDemo: false,
  };
}
