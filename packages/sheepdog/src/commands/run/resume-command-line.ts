import type { Reason, RunResult } from "@sheepdog/agent";
import { type LimitName, redactSecrets } from "@sheepdog/guardian";
import type { Config } from "../../config/schema.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { namedFlags, parseSetting, type RunOptions } from "./run-options.ts";

/** The run to resume. */
export type EndedRun = Pick<RunResult, "sessionId" | "reason"> & Partial<Pick<RunResult, "interventions">>;

/** What the command needs besides the session. */
export interface ResumeContext {
  readonly config: Pick<Config, "agent" | "budget">;
  /** Whether the model has a known price. Without one, a higher cost limit does not help. */
  readonly isPriced: boolean;
  /** The context that a request may fill: the configured size, or less if the model has less. */
  readonly maxContextTokens: number;
  readonly options: RunOptions;
  /** Absolute; set if the user named a folder. */
  readonly cwd?: string | undefined;
}

/** The command that resumes a run with the same limits, model and settings, and with the limit that ended it raised. */
export function resumeCommandLine(ended: EndedRun, { options, cwd, ...rest }: ResumeContext): string {
  const raised = raisedFlag(ended, rest);
  return [
    `sheepdog run --resume ${ended.sessionId}`,
    ...(raised === undefined ? [] : [raised.text]),
    ...sameFlags(options, raised?.key),
    ...(cwd === undefined ? [] : [`--cwd ${shellWord(cwd)}`]),
  ].join(" ");
}

/** The flags of the command line that still apply, except settings with secrets: those are never printed. */
function sameFlags(options: RunOptions, raisedKey: string | undefined): readonly string[] {
  const settings = (options.set ?? []).filter(
    (setting) => parseSetting(setting)?.key !== raisedKey && redactSecrets(setting) === setting,
  );
  return [
    ...namedFlags(options).flatMap(({ flag, key, text }) =>
      text === undefined || key === raisedKey ? [] : [`${flag} ${shellWord(text)}`],
    ),
    ...(options.mode === undefined ? [] : [`--mode ${options.mode}`]),
    ...settings.map((setting) => `--set ${shellWord(setting)}`),
    ...(options.unattended === undefined ? [] : ["--unattended"]),
    ...(options.model === undefined ? [] : [`--model ${shellWord(options.model)}`]),
  ];
}

interface RaisedFlag {
  /** The configuration key. */
  readonly key: string;
  readonly text: string;
}

const costReasons: readonly Reason[] = ["run_budget", "session_budget", "day_budget", "month_budget"];
const NANO_USD_PER_CENT = 10_000_000;
/** The longest time that a timer can wait. */
const MAX_SECS = 2_147_483;

/** The flag that raises the limit that ended a run; undefined if no limit ended it. */
export function raisedFlag(
  ended: EndedRun,
  { config: { agent, budget }, isPriced, maxContextTokens }: Omit<ResumeContext, "options">,
): RaisedFlag | undefined {
  const { reason } = ended;
  if (!isPriced && costReasons.includes(reason)) return setFlag("budget.unpriced", "count-tokens");
  const cents = (limit: LimitName, configured: number) =>
    roundUp(doubled(configured, usedOf(ended, limit) / NANO_USD_PER_CENT));
  switch (reason) {
    case "run_budget":
      return {
        key: "budget.per_run_limit_cents",
        text: `--max-cost ${plainNumber(cents("run-cost", budget.per_run_limit_cents) / 100)}`,
      };
    case "token_budget":
      return {
        key: "budget.per_run_limit_tokens",
        text: `--max-run-tokens ${doubled(budget.per_run_limit_tokens, usedOf(ended, "run-tokens"))}`,
      };
    case "max_turns":
      return { key: "agent.max_turns", text: `--max-turns ${doubled(agent.max_turns, usedOf(ended, "turns"))}` };
    case "timeout": {
      const secs = Math.ceil(doubled(agent.max_duration_secs, usedOf(ended, "time") / 1_000));
      return { key: "agent.max_duration_secs", text: `--max-time ${Math.min(secs, MAX_SECS)}s` };
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
      return maxContextTokens < agent.max_context_tokens
        ? undefined
        : setFlag("agent.max_context_tokens", String(doubled(agent.max_context_tokens, 0)));
    default:
      return undefined;
  }
}

function setFlag(key: string, value: string): RaisedFlag {
  return { key, text: `--set ${key}=${value}` };
}

/** Twice the limit, or twice the used amount if that is more. */
function doubled(limit: number, used: number): number {
  return Math.min(2 * Math.max(limit, used), Number.MAX_SAFE_INTEGER);
}

/** The amount used when the limit ended the run, in the unit of the limit; 0 if unknown. */
function usedOf({ interventions = [] }: EndedRun, limit: LimitName): number {
  return Math.max(
    0,
    ...interventions
      .filter(({ detector, effect }) => detector === limit && effect === "stop")
      .map(({ count }) => count),
  );
}

/** Rounds up to whole cents; an amount below one cent stays exact. */
function roundUp(cents: number): number {
  return cents < 1 ? cents : Math.ceil(Number(cents.toFixed(6)));
}

/** Without an exponent: the flags do not accept one. */
function plainNumber(amount: number): string {
  return amount.toFixed(9).replace(/\.?0+$/, "");
}
