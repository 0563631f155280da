import type { LimitName, Stop } from "@sheepdog/guardian";
import { tellBudgets } from "./account.ts";
import { commitCosts } from "./commit.ts";
import type { AskOptions } from "./provider/ask-model.ts";
import type { RunContext } from "./run-context.ts";
import type { CostTotals, MoneyLimits } from "./stores/stores.ts";
import { noUsage } from "./total-usage.ts";

const limits: Readonly<Record<keyof MoneyLimits, LimitName>> = { session: "session-cost", day: "day-cost", month: "month-cost" };

/** How large a request is, as far as that is known before it is sent. */
export interface RequestSize {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
}

/**
 * Puts a request into the books, at what it may cost at most, before it is sent. Where the money is not there, or a limit is to be held and the model has
 * no price, the guardian is told so and ends the run, and the request is not sent.
 */
export function reserveFor(run: RunContext, { inputTokens, maxOutputTokens }: RequestSize): NonNullable<AskOptions["reserve"]> {
  const { stores, guard, clock, bookedTo, runId, progress } = run;
  return async ({ modelId: model }) => {
    const ended = guard.stop;
    if (ended !== undefined) return { ok: false, problem: ended.message };
    if (progress.unsettled.length > 0) await commitCosts(run); // of an attempt before: what it did cost is known
    const usage = { input: inputTokens, cacheRead: 0, cacheWrite: 0, output: maxOutputTokens, isEstimated: true };
    const costNanoUsd = run.worst(model, { input: inputTokens, maxOutput: maxOutputTokens });
    const row = { id: clock.newId("req"), sessionId: bookedTo, runId, model, at: clock.now(), usage, costNanoUsd };
    const reserved = await stores.costs.reserve(row, guard.moneyLimits());
    const isNews = progress.isPriced !== (costNanoUsd !== null) || !isSame(progress.books, reserved.totals);
    progress.books = reserved.totals;
    progress.isPriced = costNanoUsd !== null;
    if (!reserved.ok) {
      // Others may spend the rest with what they have under way: for this run it is spent.
      const most = guard.moneyLimits()[reserved.limit] ?? 0;
      const used = Math.max(most, reserved.totals[reserved.limit] + reserved.reserved);
      guard.guardian.observe({
        type: "usage",
        used: { [limits[reserved.limit]]: used },
        isPriced: true,
        day: reserved.totals.dayName,
        month: reserved.totals.monthName,
      });
      return { ok: false, problem: `The budget of this ${reserved.limit} does not hold another request` };
    }
    if (isNews) tellBudgets(run);
    const stop = guard.stop as Stop | undefined; // it may be another than before
    if (stop === undefined) return { ok: true, id: row.id, at: row.at };
    progress.unsettled = [...progress.unsettled, { ...row, usage: noUsage, costNanoUsd: 0 }]; // it is not sent
    return { ok: false, problem: stop.message };
  };
}

function isSame(a: CostTotals, b: CostTotals): boolean {
  return a.session === b.session && a.day === b.day && a.month === b.month && a.dayName === b.dayName && a.monthName === b.monthName;
}
