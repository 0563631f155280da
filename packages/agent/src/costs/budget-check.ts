import type { LimitName } from "@sheepdog/guardian";
import type { Guard } from "../guard/guard.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import type { CostTotals, MoneyLimits, ReservationResult } from "../stores/stores.ts";
import type { ReserveAttempt } from "./budget-wait.ts";
import type { TreeAmount, TreeBudget } from "./tree-budget.ts";

/** The size of a request as far as it is known before it is sent. */
export interface RequestSize {
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  /** Default: `turn`. */
  readonly purpose?: RequestPurpose;
}

/**
 * A limit that does not cover a request, with what is spent under it, what other requests hold, and what the request
 * is estimated at with a short reply, in its unit.
 */
export interface Refused {
  readonly limit: LimitName;
  readonly problem: string;
  readonly stop: number;
  readonly spent: number;
  readonly reserved: number;
  readonly needed: number;
}

/** Compares a request with the budgets, before it is reserved. */
export interface BudgetCheck {
  /** Whether what is left of every budget covers this request. */
  isCovered(model: string, size: RequestSize, totals: CostTotals): boolean;
  /** The limit of the run that does not cover the shortest reply beside the requests in flight of its subagents. */
  refusedByTree(model: string, size: RequestSize): Refused | undefined;
  /** Whether the limits of the run would still cover the shortest reply once this amount is spent, too. */
  isCoveredAfter(amount: TreeAmount, model: string, inputTokens: number): boolean;
  refusedByLedger(result: Extract<ReservationResult, { readonly ok: false }>, needed: number): Refused;
}

export interface BudgetCheckOptions {
  readonly guard: Pick<Guard, "moneyLimits" | "limitOf">;
  readonly tree: Pick<TreeBudget, "spent" | "reserved">;
  /** The most that a request can cost; null when the price is unknown. */
  maxCost(model: string, size: RequestSize): number | null;
}

/**
 * The lengths of a reply that are tried in turn when a budget does not cover the longest one. Below the shortest, most
 * calls would be cut off: nothing is sent.
 */
export const SHORT_OUTPUT_TOKENS: readonly number[] = [4_096, 1_024];
/** The same for a request that the run can do without: its answer is short. */
export const SHORT_OPTIONAL_TOKENS: readonly number[] = [1_024, 400];

const limitNames: Readonly<Record<keyof MoneyLimits, LimitName>> = {
  session: "session-cost",
  day: "day-cost",
  month: "month-cost",
};

export function createBudgetCheck({ guard, tree, maxCost }: BudgetCheckOptions): BudgetCheck {
  /** The limits of the run with its subagents, and what a request would add to each. */
  function treeLimits(model: string, size: RequestSize) {
    const { spent, reserved } = tree;
    const money = { spent: spent.nanoUsd, reserved: reserved.nanoUsd, needed: maxCost(model, size) ?? 0 };
    const tokens = { spent: spent.tokens, reserved: reserved.tokens, needed: size.inputTokens + size.maxOutputTokens };
    return [
      { limit: "run-cost", stop: guard.limitOf("run-cost"), ...money },
      { limit: "run-tokens", stop: guard.limitOf("run-tokens"), ...tokens },
    ] as const;
  }

  return {
    isCovered(model, size, totals) {
      const cost = maxCost(model, size) ?? 0;
      const { session, day, month } = guard.moneyLimits();
      const budgets = [
        { stop: session, spent: totals.session, reserved: 0, needed: cost },
        { stop: day, spent: totals.day, reserved: 0, needed: cost },
        { stop: month, spent: totals.month, reserved: 0, needed: cost },
        ...treeLimits(model, size),
      ];
      return budgets.every(({ stop = 0, spent, reserved, needed }) => stop === 0 || spent + reserved + needed <= stop);
    },
    refusedByTree(model, size) {
      const refused = treeLimits(model, shortest(size)).find(
        ({ stop, spent, reserved, needed }) => stop > 0 && spent + reserved + needed > stop,
      );
      return refused && { ...refused, problem: "The budget of this run does not cover another request" };
    },
    isCoveredAfter({ nanoUsd, tokens }, model, inputTokens) {
      const maxOutputTokens = Number.POSITIVE_INFINITY;
      return treeLimits(model, shortest({ inputTokens, maxOutputTokens })).every(
        ({ limit, stop, spent, reserved, needed }) => {
          const left = stop - spent - reserved - (limit === "run-cost" ? nanoUsd : tokens);
          return stop === 0 || needed <= left;
        },
      );
    },
    refusedByLedger({ limit, totals, reserved }, needed) {
      const problem = `The budget of this ${limit} does not cover another request`;
      const stop = guard.moneyLimits()[limit] ?? 0;
      return { limit: limitNames[limit], problem, stop, spent: totals[limit], reserved, needed };
    },
  };
}

/** The request with the shortest reply that is worth it. */
export function shortest(size: RequestSize): RequestSize {
  return { ...size, maxOutputTokens: Math.min(size.maxOutputTokens, ...SHORT_OUTPUT_TOKENS) };
}

/** It may be granted later if what is spent leaves enough, which other requests hold. */
export function refusedAttempt(refused: Refused): ReserveAttempt<never, Refused> {
  const { stop, spent, reserved, needed } = refused;
  return { ok: false, refused, isPassing: reserved > 0 && spent < stop && spent + needed <= stop };
}
