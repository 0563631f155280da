import type { LookBackRun } from "../../../../look-back/look-back-run.ts";
import { firstStop } from "../../../../look-back/worst-runs.ts";
import { share } from "../charts/scale.ts";

/** The axis of a run: its calls from left to right. */
export interface RunAxis {
  readonly calls: number;
  /** Where the policy would have ended the run, as a percentage; undefined if it would not. */
  readonly end: number | undefined;
  /** The end of a call as a percentage. -1 is before the first. */
  after(call: number): number;
}

/** The axis of a run with at least one call. */
export function runAxis(run: Pick<LookBackRun, "episodes" | "limits" | "isObserveOnly" | "report">): RunAxis {
  const { calls } = run.report;
  const after = (call: number) => share(call + 1, calls);
  const stop = firstStop(run);
  return { calls, after, end: stop === undefined ? undefined : after(stop.call) };
}
