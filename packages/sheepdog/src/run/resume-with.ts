import type { Reason, RunResult } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";

/** What the command that goes on must say besides the session. */
export interface ResumeWith {
  readonly config: Pick<Config, "agent" | "budget">;
  /** Whether the model has a price: more money does not help one that has none. */
  readonly isPriced: boolean;
  readonly model?: string | undefined;
  readonly cwd?: string | undefined;
}

/** The exact command that goes on with a run that was ended; a limit that ended it is raised. */
export function resumeWith({ sessionId, reason }: Pick<RunResult, "sessionId" | "reason">, { config, isPriced, model, cwd }: ResumeWith): string {
  const raised = isPriced || !ofMoney.includes(reason) ? raisedFlag(reason, config) : "--set budget.unpriced=count-tokens";
  return [
    `sheepdog run --resume ${sessionId}`,
    ...(raised === undefined ? [] : [raised]),
    ...(model === undefined ? [] : [`--model ${shellWord(model)}`]),
    ...(cwd === undefined ? [] : [`--cwd ${shellWord(cwd)}`]),
  ].join(" ");
}

const ofMoney: readonly Reason[] = ["run_budget", "session_budget", "day_budget", "month_budget"];

/** Twice what was too little. */
function raisedFlag(reason: Reason, { agent, budget }: ResumeWith["config"]): string | undefined {
  switch (reason) {
    case "run_budget":
      return `--max-cost ${(budget.per_run_limit_cents * 2) / 100}`;
    case "token_budget":
      return `--max-run-tokens ${budget.per_run_limit_tokens * 2}`;
    case "max_turns":
      return `--max-turns ${agent.max_turns * 2}`;
    case "timeout":
      return `--max-time ${agent.max_duration_secs * 2}s`;
    case "session_budget":
      return `--set budget.per_session_limit_cents=${budget.per_session_limit_cents * 2}`;
    case "day_budget":
      return `--set budget.per_day_limit_cents=${budget.per_day_limit_cents * 2}`;
    case "month_budget":
      return `--set budget.monthly_limit_cents=${budget.monthly_limit_cents * 2}`;
    case "context_budget":
      return `--set agent.max_context_tokens=${agent.max_context_tokens * 2}`;
    default:
      return undefined;
  }
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
