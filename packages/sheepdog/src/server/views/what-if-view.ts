import { defaultPolicy } from "@sheepdog/guardian";
import type { WhatIf } from "@sheepdog/web/contract";
import { recordedRunOf } from "../../recordings/saved-run-recording.ts";
import { isLimit } from "../../render/timeline/is-limit.ts";
import { spentAt, type TraceCall } from "../../saved-runs/trace/run-trace.ts";
import { toUsd } from "../../sentences/amount-text.ts";
import type { ViewContext } from "../view-context.ts";
import { isRecordingId, loadRun, policyFor } from "./run-data/load-run.ts";
import type { RunData } from "./run-data/run-data.ts";
import { runJudge } from "./run-data/run-judge.ts";
import { runCost } from "./run-index/run-row.ts";

/** Where a run would have been ended at each number of equal calls; undefined if the run is unknown. */
export async function whatIfView(context: ViewContext, id: string): Promise<WhatIf | undefined> {
  const data = await loadRun(context, id);
  if (data === undefined) return undefined;
  const policy = await policyFor(context, data.summary.run.workspace ?? context.cwd);
  const recording = isRecordingId(id)
    ? await context.recordings.load(id)
    : recordedRunOf({
        run: data.summary.run,
        saved: { messages: data.messages, runs: data.sessionRuns },
        events: data.events,
      });
  const points = recording === undefined ? [] : await runJudge.judge("points", { run: recording, policy });
  const calls = callsInOrder(data);
  const totalUsd = toUsd(runCost(data));
  const defaultCount = (policy.detectors["failing-call"] ?? defaultPolicy.detectors["failing-call"])?.halt ?? 8;
  return {
    defaultCount,
    points: points.map(({ count, call, turn, detector, costUsd, remaining }) => {
      const end = endOf(data, calls[call], count - defaultCount);
      const spentUsd = end === undefined || totalUsd === null ? costUsd : toUsd(spentAt(data.trace.costs, end.at));
      return {
        count,
        seq: end?.seq ?? null,
        at: end?.at ?? null,
        turn: end?.turn ?? turn + 1,
        detector,
        costUsd: spentUsd,
        savedUsd: totalUsd !== null && spentUsd !== null ? Math.max(0, totalUsd - spentUsd) : remaining.costUsd,
      };
    }),
  };
}

interface End {
  readonly at: number;
  readonly seq: number;
  readonly turn: number;
}

/**
 * Where the run would have ended. At the number in force this is where the guardian ended it, or would have; with a
 * higher number not before that, with a lower one not after it.
 */
function endOf({ trace }: RunData, made: TraceCall | undefined, more: number): End | undefined {
  const halt = trace.interventions.find(
    ({ intervention }) => intervention.level === "halt" && !isLimit(intervention.detector),
  );
  if (made === undefined) return halt;
  const end = { at: made.endedAt ?? made.startedAt, seq: made.endSeq ?? made.seq, turn: made.turn };
  if (halt === undefined) return end;
  const isWrongSide = more === 0 || (more > 0 ? end.at < halt.at : end.at > halt.at);
  return isWrongSide ? halt : end;
}

/** The calls of the run with a result, in the order of the recording. */
function callsInOrder({ calls, trace }: RunData) {
  return calls.flatMap(({ id }) => {
    const call = trace.calls.get(id);
    return call?.status === undefined ? [] : [call];
  });
}
