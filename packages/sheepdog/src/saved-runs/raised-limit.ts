import type { RunResult } from "@sheepdog/agent";
import type { LimitName } from "@sheepdog/guardian";
import type { Config } from "../config/schema.ts";
import { plainNumber } from "../render/plain-number.ts";
import { moneyReasons } from "../render/timeline/reason-text.ts";

/** A run that ended, as far as resuming it needs. */
export type EndedRun = Pick<RunResult, "sessionId" | "reason"> &
  Partial<Pick<RunResult, "interventions" | "neededContextTokens">>;

/** The limits under which a run ended. */
export interface EndedUnder {
  readonly config: Pick<Config, "agent" | "budget">;
  /** Whether the model has a price. More money does not help a model without one. */
  readonly isPriced: boolean;
}

/** A flag of `sheepdog run` that raises one limit. */
export interface RaisedLimit {
  /** The configuration key of the limit. */
  readonly key: string;
  /** As typed: `--max-turns 50`. */
  readonly flag: string;
}

const NANO_USD_PER_CENT = 10_000_000;
/** The longest time a timer can wait. */
const MAX_SECS = 2_147_483;

/** The flag that raises the limit which ended a run; undefined if no limit ended it or raising would not help. */
export function raiseLimit(
  run: EndedRun,
  { config: { agent, budget }, isPriced }: EndedUnder,
): RaisedLimit | undefined {
  const { reason } = run;
  if (!isPriced && moneyReasons.includes(reason)) return setFlag("budget.unpriced", "count-tokens");
  const cents = (limit: LimitName, configured: number) =>
    roundUp(twice(configured, usedOf(run, limit) / NANO_USD_PER_CENT));
  switch (reason) {
    case "run_budget":
      return maxCost(cents("run-cost", budget.per_run_limit_cents));
    case "token_budget":
      return maxRunTokens(twice(budget.per_run_limit_tokens, usedOf(run, "run-tokens")));
    case "max_turns":
      return { key: "agent.max_turns", flag: `--max-turns ${twice(agent.max_turns, usedOf(run, "turns"))}` };
    case "timeout": {
      const secs = Math.ceil(twice(agent.max_duration_secs, usedOf(run, "time") / 1_000));
      return {
        key: "agent.max_duration_secs",
        flag: secs === 0 ? "--max-time 0" : `--max-time ${Math.min(secs, MAX_SECS)}s`,
      };
    }
    case "session_budget":
      return setFlag(
        "budget.per_session_limit_cents",
        plainNumber(cents("session-cost", budget.per_session_limit_cents)),
      );
    case "day_budget":
      return setFlag("budget.per_day_limit_cents", plainNumber(cents("day-cost", budget.per_day_limit_cents)));
    case "month_budget":
      return setFlag("budget.monthly_limit_cents", plainNumber(cents("month-cost", budget.monthly_limit_cents)));
    case "context_budget":
    case "prompt_too_long": // without a larger context, the model's own window ended the run
      return run.neededContextTokens === undefined
        ? undefined
        : setFlag("agent.max_context_tokens", String(run.neededContextTokens));
    default:
      return undefined;
  }
}

/** Whether a run ends again in the same way, however it is resumed: its prompt does not fit into the model's window. */
export function cannotContinue({
  reason,
  neededContextTokens,
}: Pick<EndedRun, "reason" | "neededContextTokens">): boolean {
  return reason === "prompt_too_long" && neededContextTokens === undefined;
}

function maxCost(cents: number): RaisedLimit {
  return { key: "budget.per_run_limit_cents", flag: `--max-cost ${plainNumber(cents / 100)}` };
}

function maxRunTokens(tokens: number): RaisedLimit {
  return { key: "budget.per_run_limit_tokens", flag: `--max-run-tokens ${tokens}` };
}

function setFlag(key: string, value: string): RaisedLimit {
  return { key, flag: `--set ${key}=${value}` };
}

/** Twice the limit, or twice the amount needed if that is more. */
function twice(limit: number, used: number): number {
  return Math.min(2 * Math.max(limit, used), Number.MAX_SAFE_INTEGER);
}

/** The amount that the limit had to cover when it ended the run, in the limit's own unit; 0 if unknown. */
function usedOf({ interventions = [] }: EndedRun, limit: LimitName): number {
  return Math.max(
    0,
    ...interventions
      .filter(({ detector, effect }) => detector === limit && effect === "stop")
      .map(({ count, needed = 0 }) => count + needed),
  );
}

/** Rounds up to whole cents; amounts below a cent stay. */
function roundUp(cents: number): number {
  return cents < 1 ? cents : Math.ceil(Number(cents.toFixed(6)));
}
