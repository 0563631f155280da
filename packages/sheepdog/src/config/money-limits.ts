import type { CostTotals } from "@sheepdog/agent";
import type { LoadedConfig } from "./load-config.ts";
import type { Origin } from "./origin.ts";
import type { Config } from "./schema.ts";

/** The configuration key of each budget. */
export const budgetKeys = {
  month: "budget.monthly_limit_cents",
  day: "budget.per_day_limit_cents",
  session: "budget.per_session_limit_cents",
  run: "budget.per_run_limit_cents",
} as const;

export type BudgetScope = keyof typeof budgetKeys;

/** A configured limit of money, in cents; 0 is no limit. */
export interface MoneyLimit {
  readonly scope: BudgetScope;
  readonly limitCents: number;
  readonly warnCents: number;
  /** Undefined if each session or run has its own limit. */
  readonly spentCents: number | undefined;
  readonly origin: Origin;
}

/** The configured limits of money, with the amounts spent according to the ledger. */
export function moneyLimits(
  { config, origins }: Pick<Extract<LoadedConfig, { ok: true }>, "config" | "origins">,
  totals: CostTotals,
): readonly MoneyLimit[] {
  const spent: Partial<Record<BudgetScope, number>> = { month: totals.month / 1e7, day: totals.day / 1e7 };
  const { warning_threshold_cents, per_run_limit_cents, per_run_warning_percent } = config.budget;
  const warn: Partial<Record<BudgetScope, number>> = {
    month: warning_threshold_cents,
    run: (per_run_limit_cents * per_run_warning_percent) / 100,
  };
  return (["month", "day", "session", "run"] as const).map((scope) => ({
    scope,
    limitCents: configuredCents(config, scope),
    warnCents: warn[scope] ?? 0,
    spentCents: spent[scope],
    origin: origins.get(budgetKeys[scope]) ?? "default",
  }));
}

/** The configured limit of a scope. */
export function configuredCents({ budget }: Config, scope: BudgetScope): number {
  switch (scope) {
    case "month":
      return budget.monthly_limit_cents;
    case "day":
      return budget.per_day_limit_cents;
    case "session":
      return budget.per_session_limit_cents;
    case "run":
      return budget.per_run_limit_cents;
    default:
      return scope satisfies never;
  }
}
