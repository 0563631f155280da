import type { Usage } from "./messages.ts";
import type { RunContext } from "./run-context.ts";
import { sumUsage, tokensOf } from "./total-usage.ts";

/** Books what a request has used, and holds it against the limits. */
export async function account(run: RunContext, model: string, usage: Usage): Promise<void> {
  const { progress, stores, sessionId, runId, clock } = run;
  const cost = run.price(model, usage);
  if (cost !== null && !(Number.isSafeInteger(cost) && cost >= 0))
    throw new Error(`Expected the price of a request in whole nano-dollars from 0 up, or null, got ${cost}.`);
  progress.total = sumUsage(progress.total, usage);
  progress.costNanoUsd = cost === null || progress.costNanoUsd === null ? null : progress.costNanoUsd + cost;
  await stores.costs.record({ sessionId, runId, model, at: clock.now(), usage, costNanoUsd: cost });
  run.emit({ type: "UsageUpdate", usage, total: progress.total });
  run.emit({ type: "CostEvent", model, costNanoUsd: cost, totalNanoUsd: progress.costNanoUsd });
  await tellBudgets(run);
}

/** Tells the guardian what was used in all: before the first request of a run, and after each. */
export async function tellBudgets(run: RunContext, context?: { readonly tokens: number; readonly max: number }): Promise<void> {
  const { progress, stores, sessionId, clock, guard } = run;
  const { session, day, month, dayName, monthName } = await stores.costs.totals(sessionId, clock.now());
  guard.guardian.observe({
    type: "usage",
    used: {
      "run-tokens": tokensOf(progress.total),
      ...(progress.costNanoUsd === null ? {} : { "run-cost": progress.costNanoUsd }),
      ...(session === null ? {} : { "session-cost": session }),
      ...(day === null ? {} : { "day-cost": day }),
      ...(month === null ? {} : { "month-cost": month }),
    },
    isPriced: progress.costNanoUsd !== null && session !== null && day !== null && month !== null,
    day: dayName,
    month: monthName,
    ...(context === undefined ? {} : { context }),
  });
}
