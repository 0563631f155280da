import { type RecordedRun, withoutCopies } from "../src/index.ts";

/** The runs without copies of requests in runs before them, without excerpts, and without those that are nothing else. */
export function ownRuns(runs: readonly RecordedRun[]): readonly RecordedRun[] {
  const requests = new Set<string>();
  return runs
    .filter((run) => run.isExcerpt === undefined)
    .map((run) => {
      const own = withoutCopies(run, (request) => requests.has(request));
      for (const { usage } of own.steps) if (usage?.request !== undefined) requests.add(usage.request);
      return own;
    })
    .filter((run) => run.steps.length > 0);
}
