import type { RecordedRun } from "../trajectory/recorded-run.ts";

/**
 * The run without the steps whose model request is in another recording already: a resumed or forked session begins
 * with a copy of the earlier one, which was neither paid nor executed again. `isCopy` tells whether a request is known.
 */
export function withoutCopies(run: RecordedRun, isCopy: (request: string) => boolean): RecordedRun {
  const isOwn = ({ usage }: RecordedRun["steps"][number]) => usage?.request === undefined || !isCopy(usage.request);
  const own = run.steps.filter(isOwn);
  const copied = run.steps.length - own.length;
  if (copied === 0) return run;
  return {
    ...run,
    counting: { ...run.counting, copiedRequests: (run.counting?.copiedRequests ?? 0) + copied },
    steps: own.map((step, turn) => ({ ...step, turn })),
  };
}
