import type { RunResult } from "@sheepdog/agent";
import { type LimitName, stopReasons } from "@sheepdog/guardian";
import { limitKeys, unitOf } from "../config/limit-keys.ts";
import { valueAt } from "../config/merged-settings.ts";
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

/** The longest time a timer can wait. */
const MAX_SECS = 2_147_483;

/** The flag that raises the limit which ended a run; undefined if no limit ended it or raising would not help. */
export function raiseLimit(run: EndedRun, { config, isPriced }: EndedUnder): RaisedLimit | undefined {
  const { reason, neededContextTokens } = run;
  if (!isPriced && moneyReasons.includes(reason)) return setFlag("budget.unpriced", "count-tokens");
  if (reason === "context_budget" || reason === "prompt_too_long")
    // Without a larger context, the model's own window ended the run.
    return neededContextTokens === undefined
      ? undefined
      : setFlag("agent.max_context_tokens", String(neededContextTokens));
  const limits = Object.keys(limitKeys) as LimitName[]; // its keys are limits
  const limit = limits.find((name) => stopReasons[name] === reason);
  if (limit === undefined) return undefined;
  const configured = Number(valueAt(config, limitKeys[limit].split(".")));
  return raisedTo(limit, twice(configured, usedOf(run, limit) / unitOf(limit)));
}

function raisedTo(limit: LimitName, value: number): RaisedLimit {
  const key = limitKeys[limit];
  switch (limit) {
    case "run-cost":
      return { key, flag: `--max-cost ${plainNumber(roundUp(value) / 100)}` };
    case "run-tokens":
      return { key, flag: `--max-run-tokens ${value}` };
    case "turns":
      return { key, flag: `--max-turns ${value}` };
    case "time":
      return { key, flag: value === 0 ? "--max-time 0" : `--max-time ${Math.min(Math.ceil(value), MAX_SECS)}s` };
    default:
      return setFlag(key, plainNumber(roundUp(value)));
  }
}

/** Whether a run ends again in the same way, however it is resumed: its prompt does not fit into the model's window. */
export function cannotContinue({
  reason,
  neededContextTokens,
}: Pick<EndedRun, "reason" | "neededContextTokens">): boolean {
  return reason === "prompt_too_long" && neededContextTokens === undefined;
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
