import { basename } from "node:path";
import type { Policy } from "@sheepdog/guardian";
import type { RecordedRun, ReportedIntervention } from "@sheepdog/records";
import { agentLabel } from "../../../look-back/agent-label.ts";
import { recordedRunSummary } from "../../../look-back/recorded-run-summary.ts";
import { callIdOf, recordedEvents } from "../../../recordings/recorded-events.ts";
import { isTime } from "../../../recordings/recorded-times.ts";
import type { RecordingEntry } from "../../../recordings/recording-library.ts";
import type { NumberedCall } from "../../../saved-runs/notice-effect.ts";
import { loopsOf } from "../../../saved-runs/trace/loops.ts";
import { readTrace } from "../../../saved-runs/trace/read-trace.ts";
import type { RunData } from "./run-data.ts";
import { MAX_JUDGED_CALLS, runJudge } from "./run-judge.ts";

/** A recording, and how the guardian judges it. */
export interface JudgedRecording {
  readonly entry: RecordingEntry;
  readonly recording: RecordedRun;
  readonly policy: Policy;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A recording of another agent in the form of a run: with the same events, and with what the guardian would do. */
export async function recordedRunData({ entry, recording, policy, now }: JudgedRecording): Promise<RunData> {
  const { steps, guardian } = recording;
  const isAttached = guardian !== undefined;
  const firstAt = [entry.startedAt, ...steps.map(({ at }) => at)].find(isTime) ?? 0;
  const prompt = entry.task ?? recording.task ?? "";
  const model = entry.model ?? recording.model;
  const { events, totals } = recordedEvents({
    id: entry.id,
    recording,
    startedAt: firstAt,
    prompt,
    model,
    policyName: policy.name,
    interventions: isAttached ? [] : await judgedInterventions(recording, policy),
  });
  const calls: readonly NumberedCall[] = steps
    .flatMap((step) => step.calls)
    .map(({ name, args }, index) => ({ id: callIdOf(index), tool: name, input: args }));
  const trace = readTrace(events);
  const summary = recordedRunSummary({
    id: entry.id,
    recording,
    prompt,
    model,
    startedAt: firstAt,
    endedAt: entry.endedAt,
    workspace: entry.workspace,
    events,
    totals,
    interventions: trace.interventions.length,
    now,
  });
  return {
    kind: "recording",
    recorded: {
      id: recording.id,
      outcome: recording.outcome,
      place: `${basename(entry.file)}:${entry.line}`,
      isAttached,
      problem: !isAttached && entry.calls > MAX_JUDGED_CALLS ? partlyJudged(entry.calls) : undefined,
    },
    source: agentLabel(entry.source),
    summary,
    events,
    unreadable: 0,
    calls,
    messages: [],
    trace,
    loops: loopsOf(trace, calls),
    startedCalls: [],
    lastWords: steps.findLast(({ text: said }) => said.trim() !== "")?.text,
    sessionRuns: [summary.run],
  };
}

/** The limits here were not its own. */
function judgedInterventions(run: RecordedRun, policy: Policy): Promise<readonly ReportedIntervention[]> {
  return runJudge.judge("interventions", { run, policy: { ...policy, limits: {} } });
}

function partlyJudged(calls: number): string {
  return `The guardian has looked at the first ${MAX_JUDGED_CALLS} of ${calls} calls.`;
}
