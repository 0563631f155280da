import type { StopReason } from "./stop-reason.ts";

/**
 * The budgets. `context` is in percent of the window, costs are in nano-dollars, `time` is in milliseconds.
 * The guardian counts `turns` and `time` itself; the caller sends the others as totals.
 */
export const limitNames = [
  "context",
  "run-tokens",
  "run-cost",
  "session-cost",
  "day-cost",
  "month-cost",
  "time",
  "turns",
] as const;
export type LimitName = (typeof limitNames)[number];

/** A budget warns once and stops once, in every mode. Zero is off. */
export interface Limit {
  readonly warn?: number | undefined;
  readonly stop?: number | undefined;
}

/** The stop reason of each limit. */
export const stopReasons: Readonly<Record<LimitName, StopReason>> = {
  context: "context_budget",
  "run-tokens": "token_budget",
  "run-cost": "run_budget",
  "session-cost": "session_budget",
  "day-cost": "day_budget",
  "month-cost": "month_budget",
  turns: "max_turns",
  time: "timeout",
};

/** The limits whose count starts at zero with every run. */
export const runLimits: readonly LimitName[] = ["context", "run-tokens", "run-cost", "turns", "time"];

/** Whether the limit is an amount of money. */
export function isMoney(limit: LimitName): boolean {
  return limit.endsWith("-cost");
}
