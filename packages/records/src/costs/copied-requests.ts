import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";

/**
 * The run without the steps whose model request is in another recording already: a resumed or forked session begins
 * with a copy of the earlier one, which was neither paid nor executed again. `isCopy` tells whether a request is known.
 */
export function withoutCopies(run: RecordedRun, isCopy: (request: string) => boolean): RecordedRun {
  const isOwn = (step: RecordedStep) => {
    const key = copyKey(step);
    return key === undefined || !isCopy(key);
  };
  const own = run.steps.filter(isOwn);
  const copied = run.steps.length - own.length;
  if (copied === 0) return run;
  return {
    ...run,
    counting: { ...run.counting, copiedRequests: (run.counting?.copiedRequests ?? 0) + copied },
    steps: own.map((step, turn) => ({ ...step, turn })),
  };
}

/** What identifies a step in all files; undefined when nothing does. */
export function copyKey({ usage, copyKey: key }: RecordedStep): string | undefined {
  return usage?.request ?? key;
}
