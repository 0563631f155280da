import type { CostTotals } from "@sheepdog/agent";
import type { LoadedConfig, Origin } from "../../config/load-config.ts";
import type { Config } from "../../config/schema.ts";
import { type Scope, scopes } from "./scopes.ts";

/** A limit of money as it is configured, and what is spent of it where it is one for all. In cents; 0 is no limit. */
export interface MoneyLimit {
  readonly scope: Scope;
  readonly limitCents: number;
  readonly warnCents: number;
  /** Undefined where each session or run has its own. */
  readonly spentCents: number | undefined;
  readonly origin: Origin;
}

/** The limits of money by the configuration, with what the books say is spent. */
export function limitsOf(
  { config, origins }: Pick<Extract<LoadedConfig, { ok: true }>, "config" | "origins">,
  totals: CostTotals,
): readonly MoneyLimit[] {
  const spent: Partial<Record<Scope, number>> = { month: totals.month / 1e7, day: totals.day / 1e7 };
  const { warning_threshold_cents, per_run_limit_cents, per_run_warning_percent } = config.budget;
  const warn: Partial<Record<Scope, number>> = {
    month: warning_threshold_cents,
    run: (per_run_limit_cents * per_run_warning_percent) / 100,
  };
  return (["month", "day", "session", "run"] as const).map((scope) => ({
    scope,
    limitCents: centsOf(config, scope),
    warnCents: warn[scope] ?? 0,
    spentCents: spent[scope],
    origin: origins.get(scopes[scope].key) ?? "default",
  }));
}

/** The limit that is configured. */
export function centsOf({ budget }: Config, scope: Scope): number {
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
