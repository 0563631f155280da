import type { RunContext } from "../loop/run-context.ts";
import { noUsage, sumUsage, tokensOf } from "../protocol/usage.ts";
import type { AttemptUsage } from "../provider/model-request.ts";
import type { CostRow, CostTotals } from "../stores/stores.ts";

/** Books what an attempt has used, and holds it against the limits. One that failed before its first word is free. */
export function account(run: RunContext, spent: AttemptUsage): void {
  const { progress } = run;
  const { model, usage } = spent;
  if (usage === undefined) {
    book(run, spent, 0);
    return;
  }
  let cost: number | null = null;
  try {
    cost = run.prices.price(model, usage);
  } finally {
    book(run, spent, cost); // also where the price could not be had
  }
  progress.total = sumUsage(progress.total, usage);
  progress.costNanoUsd = cost === null || progress.costNanoUsd === null ? null : progress.costNanoUsd + cost;
  progress.books = withCost(progress.books, cost ?? 0);
  run.emit({ type: "UsageUpdate", usage, total: progress.total });
  run.emit({ type: "CostEvent", model, costNanoUsd: cost, totalNanoUsd: progress.costNanoUsd });
  tellBudgets(run);
}

function book(
  { progress, billingSessionId, runId, clock }: RunContext,
  { id, model, at, usage }: AttemptUsage,
  costNanoUsd: number | null,
): void {
  const row: CostRow = {
    id,
    sessionId: billingSessionId,
    runId,
    model,
    at: at ?? clock.now(),
    usage: usage ?? noUsage,
    costNanoUsd,
  };
  progress.unsettled = progress.unsettled.length === 0 ? [row] : [...progress.unsettled, row];
}

/** Tells the guardian what was used in all: before the first request of a run, and after each. */
export function tellBudgets(
  { progress, guard }: RunContext,
  context?: { readonly tokens: number; readonly max: number },
): void {
  const { session, day, month, dayName, monthName } = progress.books;
  const cost = progress.costNanoUsd;
  const tokens = tokensOf(progress.total);
  const used =
    cost === null
      ? { "run-tokens": tokens, "session-cost": session, "day-cost": day, "month-cost": month }
      : { "run-tokens": tokens, "run-cost": cost, "session-cost": session, "day-cost": day, "month-cost": month };
  const isPriced = cost !== null && progress.isPriced;
  if (context === undefined) guard.guardian.observe({ type: "usage", used, isPriced, day: dayName, month: monthName });
  else guard.guardian.observe({ type: "usage", used, isPriced, day: dayName, month: monthName, context });
}

function withCost(books: CostTotals, cost: number): CostTotals {
  const { session, day, month, dayName, monthName } = books;
  return { session: session + cost, day: day + cost, month: month + cost, dayName, monthName };
}
