import type { LimitName } from "@sheepdog/guardian";

/** The configuration key of each limit. */
export const limitKeys = {
  "run-cost": "budget.per_run_limit_cents",
  "run-tokens": "budget.per_run_limit_tokens",
  turns: "agent.max_turns",
  time: "agent.max_duration_secs",
  "session-cost": "budget.per_session_limit_cents",
  "day-cost": "budget.per_day_limit_cents",
  "month-cost": "budget.monthly_limit_cents",
  context: "agent.guardian.token_budget_hard",
} as const satisfies Record<LimitName, string>;

const NANO_USD_PER_CENT = 10_000_000;

/** How much of a limit is one in the configuration. */
export function unitOf(limit: LimitName): number {
  if (limit === "time") return 1_000;
  return limit.endsWith("-cost") ? NANO_USD_PER_CENT : 1;
}
