import type { Budgets, RunCommand } from "../../contract/index.ts";
import { shortNumber, usd } from "../../format/amounts.ts";
import { duration } from "../../format/times.ts";

export type Limit = Budgets["limits"][number];
export type MoneyScope = "month" | "day" | "session" | "run";
type RunLimit = Extract<RunCommand, { readonly type: "limit" }>["limit"];

/** Where a new value of a limit goes: the configuration, or a live run. */
export type RaiseTarget =
  | { readonly type: "budget"; readonly scope: MoneyScope }
  | { readonly type: "run"; readonly runId: string; readonly limit: RunLimit };

export const moneyScopes: readonly MoneyScope[] = ["month", "day", "session", "run"];

/** An amount in the unit of its limit: "$5.00", "500", "10 min", "2.1 M". */
export function limitAmount(value: number | null, unit: Limit["unit"]): string {
  if (value === null) return "–";
  switch (unit) {
    case "usd":
      return usd(value);
    case "tokens":
      return shortNumber(value);
    case "turns":
      return value.toLocaleString("en-US");
    case "seconds":
      return duration(value * 1_000);
    case "percent":
      return `${value} %`;
    default:
      return unit satisfies never;
  }
}

/** The unit as a word beside a field, for the units that have no sign of their own. */
export const unitWords = {
  usd: "dollars",
  tokens: "tokens",
  turns: "turns",
  seconds: "seconds",
  percent: "percent",
} as const satisfies Record<Limit["unit"], string>;

/** Where to send a new value; undefined if the limit can be changed only in its file. */
export function raiseTarget({ scope, unit, runId, canRaise }: Limit): RaiseTarget | undefined {
  if (!canRaise) return undefined;
  if (runId !== null) {
    const limit = runLimits[scope];
    return limit === undefined ? undefined : { type: "run", runId, limit };
  }
  const moneyScope = moneyScopes.find((each) => each === scope);
  return moneyScope === undefined || unit !== "usd" ? undefined : { type: "budget", scope: moneyScope };
}

const runLimits: Readonly<Partial<Record<Limit["scope"], RunLimit>>> = {
  run: "run-cost",
  tokens: "run-tokens",
  turns: "turns",
  time: "time",
};

const roundSteps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** A round value at least half above the old one: what a raised limit begins with. */
export function suggestedRaise(stop: number): number {
  if (stop <= 0) return 1;
  const least = stop * 1.5;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = roundSteps.find((each) => each * power >= least * 0.999) ?? 10;
  return Number((step * power).toPrecision(6));
}
