import type { RunDetail } from "../../../contract/index.ts";

type OtherRun = RunDetail["otherRuns"][number];

/** The runs of the same session just before and just after a run. */
export function sessionLinks({ run, otherRuns }: Pick<RunDetail, "run" | "otherRuns">): {
  readonly earlier: OtherRun | undefined;
  readonly later: OtherRun | undefined;
} {
  return {
    earlier: otherRuns.findLast(({ startedAt }) => startedAt < run.startedAt),
    later: otherRuns.find(({ startedAt }) => startedAt > run.startedAt),
  };
}
