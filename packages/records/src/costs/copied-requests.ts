import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";

/**
 * The run without the steps whose model request is in another recording already: a resumed or forked session begins
 * with a copy of the earlier one, which was neither paid nor executed again. `isCopy` tells whether a request is known.
 */
export function withoutCopies(run: RecordedRun, isCopy: (request: string) => boolean): RecordedRun {
  const keys = copyKeys(run);
  const own = run.steps.filter((step) => {
    const key = keys.get(step);
    return key === undefined || !isCopy(key);
  });
  const copied = run.steps.length - own.length;
  if (copied === 0) return run;
  return {
    ...run,
    counting: { ...run.counting, copiedRequests: (run.counting?.copiedRequests ?? 0) + copied },
    steps: own.map((step, turn) => ({ ...step, turn })),
  };
}

/** What identifies steps in all files. A key that several steps of the run have is masked, or made up by a gateway. */
export function copyKeys({ steps }: RecordedRun): ReadonlyMap<RecordedStep, string> {
  const byKey = new Map<string, RecordedStep | undefined>();
  for (const step of steps) {
    const key = step.usage?.request ?? step.copyKey;
    if (key !== undefined) byKey.set(key, byKey.has(key) ? undefined : step);
  }
  return new Map([...byKey].flatMap(([key, step]) => (step === undefined ? [] : [[step, key]])));
}
