import type { LimitName } from "@sheepdog/guardian";

/** What a limit of money can be for, and the key that holds it. */
export const scopes = {
  month: { key: "budget.monthly_limit_cents", limit: "month-cost", of: "the month" },
  day: { key: "budget.per_day_limit_cents", limit: "day-cost", of: "the day" },
  session: { key: "budget.per_session_limit_cents", limit: "session-cost", of: "a session" },
  run: { key: "budget.per_run_limit_cents", limit: "run-cost", of: "a run" },
} as const satisfies Record<string, { readonly key: string; readonly limit: LimitName; readonly of: string }>;

export type Scope = keyof typeof scopes;

/** Whether a text names one. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** Money is configured in cents and counted in nano-dollars. */
export const nanoUsdPerCent = 10_000_000;
