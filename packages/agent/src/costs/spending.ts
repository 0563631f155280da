import type { ContextSize } from "@sheepdog/guardian";
import type { RunPrices } from "@sheepdog/records";
import type { Guard } from "../guard/guard.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Emit } from "../protocol/events.ts";
import type { Usage } from "../protocol/messages.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import type { Reservation } from "../protocol/reservation.ts";
import { noUsage, tokensOf } from "../protocol/usage.ts";
import type { CostRow, CostStore, CostTotals, PossibleUse, ReservationResult } from "../stores/stores.ts";
import {
  createBudgetCheck,
  type Refused,
  type RequestSize,
  refusedAttempt,
  SHORT_OPTIONAL_TOKENS,
  SHORT_OUTPUT_TOKENS,
  shortest,
} from "./budget-check.ts";
import { type ReserveAttempt, reserveWithWaits } from "./budget-wait.ts";
import { nothingUsed, type RunSpending, sumSpending } from "./ledger-spending.ts";
import { createRequestProgress, possibleOutput } from "./request-progress.ts";
import { nothingSpent, type TreeBudget } from "./tree-budget.ts";

/** A request that is over; `usage` is undefined when it failed before its first word, which is free. */
interface FinishedRequest {
  /** The id of its reservation. */
  readonly id: string;
  readonly at?: number;
  readonly model: string;
  readonly usage?: Usage;
  /** Default: `turn`. */
  readonly purpose?: RequestPurpose;
}

/**
 * The spending of a run: reserves each request before it is sent, settles it afterwards, and reports the totals to the
 * guardian. The ledger in the store is the truth; the totals here are derived from it and from the run's own requests.
 */
export interface Spending extends RunSpending {
  /** What this run, the runs above it and all their subagents have spent. */
  readonly tree: Pick<TreeBudget, "spent" | "spentOn">;
  /**
   * Reserves a request. While only other requests in flight are in the way, it waits and tries again for a limited
   * time, until `signal` is aborted.
   */
  reserve(model: string, size: RequestSize, signal?: AbortSignal): Promise<Reservation>;
  /** The same for a request that the run can do without: a refusal has no effect on the run, and nothing is written. */
  reserveOptional(model: string, size: RequestSize, options?: OptionalOptions): Promise<Reservation>;
  /** Whether the limits of the run cover a request like the last one of a turn, but none after it. */
  isLastCovered(): boolean;
  /** What the requests for a purpose have used and cost. */
  spentOn(purpose: RequestPurpose): RunSpending;
  /** Returns the cost; null when the price is unknown. */
  settle(request: FinishedRequest): number | null;
  /** The most that a request can cost; null when the price is unknown. */
  maxCost(model: string, size: RequestSize): number | null;
  /** Writes settled requests now, so that they do not block the budget of other runs while this one waits. */
  flush(): Promise<void>;
  /** Reports the totals to the guardian, with the size of the context if given. */
  reportUsage(context?: ContextSize): void;
}

interface OptionalOptions {
  /** Other requests of the run and its subagents see the reservation; default: it must not take their place. */
  readonly isShared?: boolean;
  /** It may be sent after the last turn that the run may have; default: nothing is sent once the run has to end. */
  readonly isAfterLastTurn?: boolean;
}

export interface SpendingOptions {
  readonly runId: string;
  /** The session that pays for the run. */
  readonly billingSessionId: string;
  readonly ledger: Pick<CostStore, "reserve" | "recordPossibleUse">;
  /** A provider writes a reply that is not streamed to its end, also after a crash. */
  readonly isStreamed: boolean;
  readonly prices: RunPrices;
  /** Writes cost rows with the next commit. */
  readonly writer: { addCost(row: CostRow): void; flushCosts(): Promise<void> };
  readonly guard: Pick<Guard, "observe" | "stop" | "signal" | "moneyLimits" | "limitOf">;
  readonly emit: Emit;
  readonly clock: Pick<Clock, "now" | "newId" | "sleep" | "every">;
  /** What the run has spent so far, and the totals of the ledger. */
  readonly spent: RunSpending;
  readonly spentByPurpose?: ReadonlyMap<RequestPurpose, RunSpending>;
  readonly totals: CostTotals;
  /** The money and tokens of this run, the runs above it and all their subagents. */
  readonly tree: TreeBudget;
}

interface ReservedRow {
  readonly row: CostRow;
  readonly result: ReservationResult;
}

export function createSpending(options: SpendingOptions): Spending {
  const { runId, billingSessionId, ledger, prices, writer, guard, emit, clock, tree, isStreamed } = options;
  const progress = createRequestProgress({ ledger, clock, possibleUse });
  const budgets = createBudgetCheck({ guard, tree, maxCost });
  let { spent, totals } = options;
  const byPurpose = new Map(options.spentByPurpose);
  const spentOn = (purpose: RequestPurpose) => byPurpose.get(purpose) ?? nothingUsed;
  /** Whether the model of the last request has a price. */
  let isModelPriced = true;
  let lastTurn: { readonly model: string; readonly used: Usage; readonly nanoUsd: number } | undefined;

  function possibleUse({ model, usage: { input } }: CostRow, output: number): PossibleUse {
    return { output, costNanoUsd: prices.maxPrice(model, { input, maxOutput: output }) };
  }

  const stopMessage = () => guard.stop?.message;

  function reportUsage(context?: ContextSize): void {
    const { usage, costNanoUsd } = spent;
    guard.observe({
      type: "usage",
      used: {
        "run-tokens": tokensOf(usage),
        ...(costNanoUsd === null ? {} : { "run-cost": costNanoUsd }),
        "session-cost": totals.session,
        "day-cost": totals.day,
        "month-cost": totals.month,
      },
      isPriced: costNanoUsd !== null && isModelPriced,
      day: totals.dayName,
      month: totals.monthName,
      ...(context === undefined ? {} : { context }),
    });
  }

  /** The rest is too little, or other runs hold it for their requests in flight: for this run the budget is spent. */
  function refuse({ limit, problem, spent: used, reserved, needed }: Refused): Reservation {
    guard.observe({
      type: "usage",
      used: { [limit]: used },
      needed: { [limit]: needed },
      ...(reserved > 0 ? { reserved: { [limit]: reserved } } : {}),
      isPriced: true,
      ...(limit.startsWith("run-") ? {} : { day: totals.dayName, month: totals.monthName }),
    });
    return { ok: false, problem };
  }

  /** One attempt. It may succeed later if the rest of the limit is not spent but held by other requests. */
  async function tryReserve(model: string, size: RequestSize): Promise<ReserveAttempt<CostRow, Refused>> {
    const refusedAtOnce = budgets.refusedByTree(model, size);
    if (refusedAtOnce !== undefined) return refusedAttempt(refusedAtOnce);
    const { row, result } = await reserveLongest(model, size);
    totals = result.totals;
    isModelPriced = row.costNanoUsd !== null;
    if (result.ok) return { ok: true, granted: row };
    return refusedAttempt(budgets.refusedByLedger(result, row.costNanoUsd ?? 0));
  }

  /** Publishes a wait for a budget. It is no stall, but it counts as run time, as the wait before a retry does. */
  function reportWait({ limit, reserved }: Refused, waitMs: number): void {
    emit({ type: "BudgetWait", limit, reserved, waitMs });
    guard.observe({ type: "waiting", for: "rate-limit" });
  }

  function maxCost(model: string, { inputTokens, maxOutputTokens }: RequestSize): number | null {
    return prices.maxPrice(model, { input: inputTokens, maxOutput: maxOutputTokens });
  }

  /** Reserves a request with the longest reply that the budgets cover. The shortest is tried in any case. */
  async function reserveLongest(model: string, size: RequestSize): Promise<ReservedRow> {
    const last = shortest(size);
    const isLonger = (tokens: number) => tokens > last.maxOutputTokens && tokens <= size.maxOutputTokens;
    for (const maxOutputTokens of [size.maxOutputTokens, ...SHORT_OUTPUT_TOKENS].filter(isLonger)) {
      const longer = { ...size, maxOutputTokens };
      if (!budgets.isCovered(model, longer, totals)) continue;
      const reserved = await reserveRow(model, longer);
      if (reserved.result.ok) return reserved; // other processes may have reserved what seemed to be left
    }
    return reserveRow(model, last);
  }

  /** The row with the most that a request of this size can cost. */
  function createRow(model: string, size: RequestSize): CostRow {
    const { inputTokens, maxOutputTokens } = size;
    return {
      id: clock.newId("req"),
      sessionId: billingSessionId,
      runId,
      model,
      at: clock.now(),
      usage: { input: inputTokens, cacheRead: 0, cacheWrite: 0, output: maxOutputTokens, isEstimated: true },
      costNanoUsd: maxCost(model, size),
      ...purposeOf(size),
    };
  }

  /** Reserves the most that a request of this size can cost. */
  async function reserveRow(model: string, size: RequestSize): Promise<ReservedRow> {
    const row = createRow(model, size);
    // Before the wait, in which another subagent may ask.
    tree.reserve(row.id, { nanoUsd: row.costNanoUsd ?? 0, tokens: tokensOf(row.usage) });
    const possible = possibleUse(row, possibleOutput(0, row.usage.output));
    const result = await ledger.reserve(isStreamed ? { ...row, possible } : row, guard.moneyLimits());
    if (!result.ok) tree.settle(row.id, nothingSpent);
    return { row, result };
  }

  return {
    tree,
    get usage() {
      return spent.usage;
    },
    get costNanoUsd() {
      return spent.costNanoUsd;
    },
    async reserve(model, size, signal = guard.signal) {
      const { maxOutputTokens } = size;
      const stoppedBefore = stopMessage();
      if (stoppedBefore !== undefined) return { ok: false, problem: stoppedBefore };
      await writer.flushCosts(); // the real cost of an earlier attempt is known by now
      const attempt = await reserveWithWaits(() => tryReserve(model, size), { clock, signal, onWait: reportWait });
      if (!attempt.ok)
        return signal.aborted ? { ok: false, problem: attempt.refused.problem } : refuse(attempt.refused);
      const row = attempt.granted;
      reportUsage();
      const stopped = stopMessage();
      const { output } = row.usage;
      if (stopped === undefined && isStreamed) progress.start(row);
      if (stopped === undefined)
        return { ok: true, id: row.id, at: row.at, ...(output < maxOutputTokens ? { maxOutputTokens: output } : {}) };
      tree.settle(row.id, nothingSpent);
      writer.addCost({ ...row, usage: noUsage, costNanoUsd: 0 }); // it will not be sent
      return { ok: false, problem: stopped };
    },
    async reserveOptional(model, size, { isShared = false, isAfterLastTurn = false } = {}) {
      const stopped = isAfterLastTurn && guard.stop?.reason === "max_turns" ? undefined : stopMessage();
      if (stopped !== undefined) return { ok: false, problem: stopped };
      const notCovered = { ok: false, problem: "The budget does not cover another request" } as const;
      const { maxOutputTokens: longest } = size;
      const maxOutputTokens = [longest, ...SHORT_OPTIONAL_TOKENS.filter((tokens) => tokens < longest)].find((tokens) =>
        budgets.isCovered(model, { ...size, maxOutputTokens: tokens }, totals),
      );
      if (maxOutputTokens === undefined) return notCovered;
      const row = createRow(model, { ...size, maxOutputTokens });
      if (isShared) tree.reserve(row.id, { nanoUsd: row.costNanoUsd ?? 0, tokens: tokensOf(row.usage) });
      const result = await ledger.reserve(row, guard.moneyLimits());
      if (!result.ok && isShared) tree.settle(row.id, nothingSpent);
      if (!result.ok) return notCovered;
      return { ok: true, id: row.id, at: row.at, ...(maxOutputTokens < longest ? { maxOutputTokens } : {}) };
    },
    isLastCovered() {
      if (lastTurn === undefined) return false;
      const { model, used, nanoUsd } = lastTurn;
      return !budgets.isCoveredAfter({ nanoUsd, tokens: tokensOf(used) }, model, tokensOf(used));
    },
    spentOn,
    settle({ id, at = clock.now(), model, usage: used, ...purpose }) {
      progress.stop(id);
      const row = { id, sessionId: billingSessionId, runId, model, at, ...purposeOf(purpose) };
      if (used === undefined) {
        tree.settle(id, nothingSpent);
        writer.addCost({ ...row, usage: noUsage, costNanoUsd: 0 });
        return 0;
      }
      const cost = prices.price(model, used);
      tree.settle(id, { nanoUsd: cost ?? 0, tokens: tokensOf(used) }, purpose.purpose);
      writer.addCost({ ...row, usage: used, costNanoUsd: cost });
      spent = sumSpending(spent, { usage: used, costNanoUsd: cost });
      const purposeName = purpose.purpose ?? "turn";
      if (purposeName === "turn") lastTurn = { model, used, nanoUsd: cost ?? 0 };
      byPurpose.set(purposeName, sumSpending(spentOn(purposeName), { usage: used, costNanoUsd: cost }));
      totals = addToTotals(totals, cost ?? 0);
      emit({ type: "UsageUpdate", usage: used, total: spent.usage, ...purposeOf(purpose) });
      emit({ type: "CostEvent", model, costNanoUsd: cost, totalNanoUsd: spent.costNanoUsd, ...purposeOf(purpose) });
      reportUsage();
      return cost;
    },
    maxCost,
    flush: () => writer.flushCosts(),
    reportUsage,
  };
}

/** A row without a purpose belongs to a turn. */
function purposeOf({ purpose = "turn" }: { readonly purpose?: RequestPurpose }): { readonly purpose?: RequestPurpose } {
  return purpose === "turn" ? {} : { purpose };
}

function addToTotals({ session, day, month, ...names }: CostTotals, costNanoUsd: number): CostTotals {
  return { session: session + costNanoUsd, day: day + costNanoUsd, month: month + costNanoUsd, ...names };
}
