import type { Spent } from "./provider/ask-model.ts";
import type { RunContext } from "./run-context.ts";
import type { CostTotals } from "./stores/stores.ts";
import { noUsage, sumUsage, tokensOf } from "./total-usage.ts";

/** Books what each attempt of a request has used, and holds it against the limits. An attempt that failed before its first word is free. */
export function account(run: RunContext, spent: readonly Spent[]): void {
  const { progress, sessionId, runId, clock } = run;
  for (const { id, model, at, usage } of spent) {
    const cost = usage === undefined ? 0 : run.price(model, usage);
    progress.unsettled = [...progress.unsettled, { id, sessionId, runId, model, at: at ?? clock.now(), usage: usage ?? noUsage, costNanoUsd: cost }];
    if (usage === undefined) continue;
    progress.total = sumUsage(progress.total, usage);
    progress.costNanoUsd = cost === null || progress.costNanoUsd === null ? null : progress.costNanoUsd + cost;
    progress.books = withCost(progress.books, cost ?? 0);
    run.emit({ type: "UsageUpdate", usage, total: progress.total });
    run.emit({ type: "CostEvent", model, costNanoUsd: cost, totalNanoUsd: progress.costNanoUsd });
  }
  if (spent.length > 0) tellBudgets(run);
}

/** Tells the guardian what was used in all: before the first request of a run, and after each. */
export function tellBudgets({ progress, guard }: RunContext, context?: { readonly tokens: number; readonly max: number }): void {
  const { session, day, month, dayName, monthName } = progress.books;
  guard.guardian.observe({
    type: "usage",
    used: {
      "run-tokens": tokensOf(progress.total),
      ...(progress.costNanoUsd === null ? {} : { "run-cost": progress.costNanoUsd }),
      "session-cost": session,
      "day-cost": day,
      "month-cost": month,
    },
    isPriced: progress.costNanoUsd !== null && progress.isPriced,
    day: dayName,
    month: monthName,
    ...(context === undefined ? {} : { context }),
  });
}

function withCost(books: CostTotals, cost: number): CostTotals {
  return { ...books, session: books.session + cost, day: books.day + cost, month: books.month + cost };
}
