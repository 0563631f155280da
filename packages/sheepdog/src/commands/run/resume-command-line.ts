import type { Reason, RunResult } from "@sheepdog/agent";
import { type LimitName, redactSecrets } from "@sheepdog/guardian";
import type { Config } from "../../config/schema.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { namedFlags, type RunOptions, settingOf } from "./run-options.ts";

/** What is known of a run that the command goes on with. */
export type Ended = Pick<RunResult, "sessionId" | "reason"> & Partial<Pick<RunResult, "interventions">>;

/** What the command that goes on must say besides the session. */
export interface ResumeWith {
  readonly config: Pick<Config, "agent" | "budget">;
  /** Whether the model has a price: more money does not help one that has none. */
  readonly isPriced: boolean;
  /** The context a request may fill: less than configured where the model has no more. */
  readonly maxContextTokens: number;
  readonly options: RunOptions;
  /** Absolute, where a folder was named. */
  readonly cwd?: string | undefined;
}

/** The exact command that goes on with a run that was ended: with the same limits, model and settings, but the limit that ended it raised. */
export function resumeCommandLine(ended: Ended, { options, cwd, ...rest }: ResumeWith): string {
  const raised = raisedFlag(ended, rest);
  return [
    `sheepdog run --resume ${ended.sessionId}`,
    ...(raised === undefined ? [] : [raised.text]),
    ...sameFlags(options, raised?.key),
    ...(cwd === undefined ? [] : [`--cwd ${shellWord(cwd)}`]),
  ].join(" ");
}

/** What was said on the command line and still holds. A secret is not printed: who has given it can give it again. */
function sameFlags(options: RunOptions, raisedKey: string | undefined): readonly string[] {
  const settings = (options.set ?? []).filter(
    (setting) => settingOf(setting)?.key !== raisedKey && redactSecrets(setting) === setting,
  );
  return [
    ...namedFlags(options).flatMap(({ flag, key, given }) =>
      given === undefined || key === raisedKey ? [] : [`${flag} ${shellWord(given)}`],
    ),
    ...(options.mode === undefined ? [] : [`--mode ${options.mode}`]),
    ...settings.map((setting) => `--set ${shellWord(setting)}`),
    ...(options.unattended === undefined ? [] : ["--unattended"]),
    ...(options.model === undefined ? [] : [`--model ${shellWord(options.model)}`]),
  ];
}

interface RaisedFlag {
  /** Of the configuration. */
  readonly key: string;
  readonly text: string;
}

const ofMoney: readonly Reason[] = ["run_budget", "session_budget", "day_budget", "month_budget"];
const NANO_USD_PER_CENT = 10_000_000;
/** As much as a timer can wait. */
const MOST_SECS = 2_147_483;

/** The flag that raises what has ended a run; undefined where nothing has to be raised. */
export function raisedFlag(
  ended: Ended,
  { config: { agent, budget }, isPriced, maxContextTokens }: Omit<ResumeWith, "options">,
): RaisedFlag | undefined {
  const { reason } = ended;
  if (!isPriced && ofMoney.includes(reason)) return set("budget.unpriced", "count-tokens");
  const cents = (limit: LimitName, configured: number) =>
    roundUp(twice(configured, usedOf(ended, limit) / NANO_USD_PER_CENT));
  switch (reason) {
    case "run_budget":
      return {
        key: "budget.per_run_limit_cents",
        text: `--max-cost ${plainNumber(cents("run-cost", budget.per_run_limit_cents) / 100)}`,
      };
    case "token_budget":
      return {
        key: "budget.per_run_limit_tokens",
        text: `--max-run-tokens ${twice(budget.per_run_limit_tokens, usedOf(ended, "run-tokens"))}`,
      };
    case "max_turns":
      return { key: "agent.max_turns", text: `--max-turns ${twice(agent.max_turns, usedOf(ended, "turns"))}` };
    case "timeout":
      return {
        key: "agent.max_duration_secs",
        text: `--max-time ${Math.min(Math.ceil(twice(agent.max_duration_secs, usedOf(ended, "time") / 1_000)), MOST_SECS)}s`,
      };
    case "session_budget":
      return set("budget.per_session_limit_cents", plainNumber(cents("session-cost", budget.per_session_limit_cents)));
    case "day_budget":
      return set("budget.per_day_limit_cents", plainNumber(cents("day-cost", budget.per_day_limit_cents)));
    case "month_budget":
      return set("budget.monthly_limit_cents", plainNumber(cents("month-cost", budget.monthly_limit_cents)));
    case "context_budget":
      return maxContextTokens < agent.max_context_tokens
        ? undefined
        : set("agent.max_context_tokens", String(twice(agent.max_context_tokens, 0)));
    default:
      return undefined;
  }
}

function set(key: string, value: string): RaisedFlag {
  return { key, text: `--set ${key}=${value}` };
}

/** Twice what was too little: the limit, or what was used of it where that is more. */
function twice(limit: number, used: number): number {
  return Math.min(2 * Math.max(limit, used), Number.MAX_SAFE_INTEGER);
}

/** How much was used when a limit ended the run, in its own unit; 0 where that is not known. */
function usedOf({ interventions = [] }: Ended, limit: LimitName): number {
  return Math.max(
    0,
    ...interventions
      .filter(({ detector, effect }) => detector === limit && effect === "stop")
      .map(({ count }) => count),
  );
}

/** Whole cents, unless it is about less. */
function roundUp(cents: number): number {
  return cents < 1 ? cents : Math.ceil(Number(cents.toFixed(6)));
}

/** Without an exponent, which nothing reads that takes amounts. */
function plainNumber(amount: number): string {
  return amount.toFixed(9).replace(/\.?0+$/, "");
}
