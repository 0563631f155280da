import type { LimitName } from "@sheepdog/guardian";
import { callOut } from "../async/call-out.ts";
import { commitCosts } from "../loop/commit-turn.ts";
import type { RunContext } from "../loop/run-context.ts";
import type { Usage } from "../protocol/messages.ts";
import { noUsage } from "../protocol/usage.ts";
import type { AskOptions } from "../provider/ask-model.ts";
import type { Model } from "../provider/model.ts";
import type { CostRow, CostTotals, MoneyLimits, ReservationResult } from "../stores/stores.ts";
import { tellBudgets } from "./settle.ts";

const limits: Readonly<Record<keyof MoneyLimits, LimitName>> = {
  session: "session-cost",
  day: "day-cost",
  month: "month-cost",
};

type Reservation = Awaited<ReturnType<NonNullable<AskOptions["reserve"]>>>;

/** How large a request is, as far as that is known before it is sent. */
export interface RequestSize {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
}

/**
 * Puts a request into the books, at what it may cost at most, before it is sent. Where the money is not there, or a limit is to be held and the model has
 * no price, the guardian is told so and ends the run, and the request is not sent.
 */
export async function reserve(
  run: RunContext,
  { modelId: model }: Model,
  { inputTokens, maxOutputTokens }: RequestSize,
): Promise<Reservation> {
  const { stores, guard, clock, billingSessionId, runId, progress } = run;
  const ended = guard.stop;
  if (ended !== undefined) return { ok: false, problem: ended.message };
  if (progress.unsettled.length > 0) await commitCosts(run); // of an attempt before: what it did cost is known
  const usage: Usage = { input: inputTokens, cacheRead: 0, cacheWrite: 0, output: maxOutputTokens, isEstimated: true };
  const costNanoUsd = run.prices.maxPrice(model, { input: inputTokens, maxOutput: maxOutputTokens });
  const row: CostRow = {
    id: clock.newId("req"),
    sessionId: billingSessionId,
    runId,
    model,
    at: clock.now(),
    usage,
    costNanoUsd,
  };
  const reserved = await callOut(stores.costs, "reserve", row, guard.moneyLimits());
  const isNews = progress.isPriced !== (costNanoUsd !== null) || !isSame(progress.books, reserved.totals);
  progress.books = reserved.totals;
  progress.isPriced = costNanoUsd !== null;
  if (!reserved.ok) return refuse(run, reserved);
  if (isNews) tellBudgets(run);
  const { stop } = guard;
  if (stop === undefined) return { ok: true, id: row.id, at: row.at };
  progress.unsettled = [...progress.unsettled, { ...row, usage: noUsage, costNanoUsd: 0 }]; // it is not sent
  return { ok: false, problem: stop.message };
}

/** Others may spend the rest with what they have under way: for this run it is spent. */
function refuse(
  { guard }: RunContext,
  { limit, totals, reserved }: Extract<ReservationResult, { readonly ok: false }>,
): Reservation {
  const most = guard.moneyLimits()[limit] ?? 0;
  const used = { [limits[limit]]: Math.max(most, totals[limit] + reserved) };
  guard.guardian.observe({ type: "usage", used, isPriced: true, day: totals.dayName, month: totals.monthName });
  return { ok: false, problem: `The budget of this ${limit} does not hold another request` };
}

function isSame(a: CostTotals, b: CostTotals): boolean {
  return (
    a.session === b.session &&
    a.day === b.day &&
    a.month === b.month &&
    a.dayName === b.dayName &&
    a.monthName === b.monthName
  );
}
