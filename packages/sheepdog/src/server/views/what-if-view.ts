import { defaultPolicy } from "@sheepdog/guardian";
import type { WhatIf } from "@sheepdog/web/contract";
import { recordedRunOf } from "../../recordings/saved-run-recording.ts";
import type { ViewContext } from "../view-context.ts";
import { isRecordingId, loadRun, policyFor } from "./run-data/load-run.ts";
import type { RunData } from "./run-data/run-data.ts";
import { runJudge } from "./run-data/run-judge.ts";
import { runCost } from "./run-index/run-row.ts";
import { toUsd } from "./sentences/amount-text.ts";

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
  return {
    defaultCount: (policy.detectors["failing-call"] ?? defaultPolicy.detectors["failing-call"])?.halt ?? 8,
    points: points.map(({ count, call, turn, detector, costUsd, remaining }) => {
      const made = calls[call];
      return {
        count,
        seq: made?.endSeq ?? made?.seq ?? null,
        at: made === undefined ? null : (made.endedAt ?? made.startedAt),
        turn: made?.turn ?? turn + 1,
        detector,
        costUsd,
        savedUsd: totalUsd !== null && costUsd !== null ? Math.max(0, totalUsd - costUsd) : remaining.costUsd,
      };
    }),
  };
}

/** The calls of the run with a result, in the order of the recording. */
function callsInOrder({ calls, trace }: RunData) {
  return calls.flatMap(({ id }) => {
    const call = trace.calls.get(id);
    return call?.status === undefined ? [] : [call];
  });
}
