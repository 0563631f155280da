import type { Spending } from "../costs/spending.ts";
import type { Guard } from "../guard/guard.ts";

/** Part of what a run has spent that may be spent on second opinions. */
const SHARE_OF_SPENT = 0.03;
/** Part of a run's cost limit, so that the first question is possible. */
const SHARE_OF_LIMIT = 1 / 50;
/** The same in nano-dollars for a run without a limit: three cents, so that the dearest models can be asked once. */
const FLOOR_NANO_USD = 30_000_000;
/** Questions to a model without a price. */
const MAX_UNPRICED = 3;

/** A question that may be asked. */
export interface PlannedQuestion {
  /** What it usually costs at most; null when the price is unknown. */
  readonly usualNanoUsd: number | null;
  /** What was asked in this run so far. */
  readonly asked: number;
  readonly spentNanoUsd: number;
  /** A subagent has no floor of its own: many of them would add up. */
  readonly isSubagent?: boolean;
}

type BudgetSource = Pick<Guard, "nearBudget" | "moneyLimits" | "limitOf">;

/** Why a question is not asked; undefined when it may be asked. */
export function opinionRefusal(
  guard: BudgetSource,
  { costNanoUsd }: Pick<Spending, "costNanoUsd">,
  { usualNanoUsd, asked, spentNanoUsd, isSubagent = false }: PlannedQuestion,
): string | undefined {
  if (guard.nearBudget()) return "over budget: little is left of the run's budget";
  if (usualNanoUsd === null) return costNanoUsd === null ? unpricedRefusal(guard, asked) : unknownPrice;
  const limit = guard.limitOf("run-cost");
  const floor = isSubagent ? 0 : limit > 0 ? limit * SHARE_OF_LIMIT : FLOOR_NANO_USD;
  const allowed = Math.max(SHARE_OF_SPENT * (costNanoUsd ?? 0), floor);
  return spentNanoUsd + usualNanoUsd > allowed ? "over budget: it would cost too much for this run" : undefined;
}

/** It would make the cost of the run unknown. */
const unknownPrice = "over budget: the price of the model is unknown";

/** An unknown cost must not get into a run whose money is limited. */
function unpricedRefusal(guard: BudgetSource, asked: number): string | undefined {
  const limits = [guard.limitOf("run-cost"), ...Object.values(guard.moneyLimits())];
  if (limits.some((limit) => limit > 0)) return unknownPrice;
  return asked < MAX_UNPRICED ? undefined : `over budget: without a price, a run may ask ${MAX_UNPRICED} times`;
}
