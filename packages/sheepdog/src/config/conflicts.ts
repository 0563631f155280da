import { buildRunPolicy } from "./policy/run-policy.ts";
import type { Config } from "./schema.ts";

/** Says where a key was set: to begin a sentence with, and in brackets after its value. */
export interface Places {
  /** `file:line:column` of the first of the keys that was set somewhere. */
  before(...keys: readonly string[]): string;
  /** The same for the first part of a key. */
  below(key: string): string;
  /** Whether a key was set in an earlier layer than another, which then has the last word. */
  isEarlier(key: string, than: string): boolean;
  /** `agent.max_turns is 25 (sheepdog.toml:3:13)`. */
  value(key: string, value: unknown): string;
}

/** Sentences about values that are right each by itself, and not together. */
export function conflicts(config: Config, { before, below, isEarlier, value }: Places): readonly string[] {
  const { agent, budget } = config;
  const { token_budget_soft: soft, token_budget_hard: hard } = agent.guardian;
  const { warning_threshold_cents: warning, monthly_limit_cents: monthly } = budget;
  const steps = agent.guardrails.max_repeated_tool_steps;
  const problems: string[] = [];

  const checkWarning = ([low, warn]: Named, [high, stop]: Named) => {
    if (stop === 0 || warn <= stop || isEarlier(low, high)) return; // who lowers a limit for a project or a run need not know of your warning
    problems.push(
      `${before(low, high)}${value(low, warn)} and ${value(high, stop)}; the warning must not come after the end`,
    );
  };
  checkWarning(["agent.guardian.token_budget_soft", soft], ["agent.guardian.token_budget_hard", hard]);
  checkWarning(["budget.warning_threshold_cents", warning], ["budget.monthly_limit_cents", monthly]);
  if (steps !== undefined && agent.guardian.preset !== "aar") {
    const key = "agent.guardrails.max_repeated_tool_steps";
    const preset = value("agent.guardian.preset", agent.guardian.preset);
    problems.push(
      `${before(key)}${value(key, steps)}, which only the preset "aar" knows, and ${preset}; remove the one or change the other`,
    );
  }
  if (!agent.checkpoint.enabled)
    for (const name of ["monthly_limit_cents", "per_day_limit_cents", "per_session_limit_cents"] as const) {
      if (budget[name] === 0) continue;
      const [kept, limit] = ["agent.checkpoint.enabled", `budget.${name}`];
      problems.push(
        `${before(kept, limit)}${value(kept, false)} and ${value(limit, budget[name])}; where nothing is kept, nobody knows what earlier runs have cost`,
      );
    }
  const policy = buildRunPolicy(config);
  return policy.ok
    ? problems
    : [...problems, ...policy.problems.map((problem) => `${below(problem.slice(0, problem.indexOf(":")))}${problem}`)];
}

/** A key and its number; 0 is none. */
type Named = readonly [key: string, amount: number];
