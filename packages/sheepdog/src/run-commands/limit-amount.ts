import type { RunCommand } from "@sheepdog/web/contract";

type LimitName = Extract<RunCommand, { readonly type: "limit" }>["limit"];

/** The smallest limit of money, in dollars: smaller amounts cannot be shown. */
const minUsd = 0.001;

/** How many units of the runtime are one unit of a command: nano-dollars in a dollar, milliseconds in a second. */
const units = { "run-cost": 1e9, "run-tokens": 1, turns: 1, time: 1_000 } as const satisfies Record<LimitName, number>;

/**
 * A limit in the units of the runtime, or why it cannot be set. 0 removes a limit, so no other number may be rounded to
 * it; what is counted is whole, so that the limit is the one that was asked for.
 */
export function limitAmount(limit: LimitName, stop: number): number | string {
  if (limit === "run-cost") {
    const problem = moneyProblem(stop);
    if (problem !== undefined) return problem;
  } else if (!Number.isInteger(stop)) {
    const what = { "run-tokens": "tokens", turns: "turns", time: "seconds" } as const;
    return `name a whole number of ${what[limit]}; 0 removes the limit.`;
  }
  const amount = Math.round(stop * units[limit]);
  return Number.isSafeInteger(amount) ? amount : "the number is too large; 0 removes the limit.";
}

/** Why an amount of money is no limit; undefined if it is one, or 0. */
export function moneyProblem(usd: number): string | undefined {
  return usd !== 0 && usd < minUsd ? `the smallest amount is $${minUsd}; 0 removes the limit.` : undefined;
}
