import { withoutCopies } from "../src/costs/copied-requests.ts";
import type { RecordedRun, RecordedUsage } from "../src/index.ts";

/** The sums over runs in this order. A request counts once; a run that is only a copy does not count. */
export function totalsOfRuns(runs: readonly RecordedRun[]): Record<string, number> {
  const requests = new Set<string>();
  const own = runs
    .map((run) => {
      const rest = withoutCopies(run, (request) => requests.has(request));
      for (const { usage } of rest.steps) if (usage?.request !== undefined) requests.add(usage.request);
      return rest;
    })
    .filter((run) => run.steps.length > 0 && run.isExcerpt === undefined);
  const steps = own.flatMap((run) => run.steps);
  const sum = (field: Exclude<keyof RecordedUsage, "isPriced" | "request">) =>
    Number(steps.reduce((total, { usage }) => total + (usage?.[field] ?? 0), 0).toFixed(9));
  return {
    runs: own.length,
    calls: steps.reduce((total, { calls }) => total + calls.length, 0),
    turns: steps.length,
    inputTokens: sum("inputTokens"),
    cacheReadTokens: sum("cacheReadTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
    cacheWrite1hTokens: sum("cacheWrite1hTokens"),
    outputTokens: sum("outputTokens"),
    costUsd: sum("costUsd"),
    copiedRequests: own.reduce((total, { counting }) => total + (counting?.copiedRequests ?? 0), 0),
  };
}
