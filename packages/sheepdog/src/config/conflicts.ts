import { findChannelProblems } from "./channel-rules.ts";
import { dottedKey } from "./dotted-key.ts";
import { buildRunPolicy } from "./policy/run-policy.ts";
import type { Config } from "./schema.ts";

/** Describes where keys were set. */
export interface ConflictLocations {
  /** `file:line:column: ` of the first of these keys that was set; empty if none was. */
  before(...keys: readonly string[]): string;
  /** The same for the first value below a key. */
  below(key: string): string;
  /** Whether `key` was set in a lower layer than `by`. */
  isOverridden(key: string, by: string): boolean;
  /** `agent.max_turns is 25 (sheepdog.toml:3:13)`. */
  value(key: string, value: unknown): string;
}

/** Finds values that are valid by themselves but contradict each other. */
export function findConflicts(config: Config, locations: ConflictLocations): readonly string[] {
  const { agent, budget } = config;
  const { token_budget_soft, token_budget_hard } = agent.guardian;
  return [
    ...lateWarning(
      { key: "agent.guardian.token_budget_soft", amount: token_budget_soft },
      { key: "agent.guardian.token_budget_hard", amount: token_budget_hard },
      locations,
    ),
    ...lateWarning(
      { key: "budget.warning_threshold_cents", amount: budget.warning_threshold_cents },
      { key: "budget.monthly_limit_cents", amount: budget.monthly_limit_cents },
      locations,
    ),
    ...stepsWithoutPreset(config, locations),
    ...limitsWithoutStore(config, locations),
    ...mcpProblems(config, locations),
    ...policyProblems(config, locations),
    ...channelProblems(config, locations),
  ];
}

/** A server is a program or an address, and its name is the beginning of the names of its tools. */
function mcpProblems({ mcp }: Config, { below }: ConflictLocations): readonly string[] {
  return Object.entries(mcp.servers).flatMap(([name, { command, url, env, args, cwd, headers }]) => {
    const key = dottedKey(["mcp", "servers", name]);
    const problem = (why: string) => [`${below(key)}${key} ${why}`];
    if (!/^(?!.*__)(?!.*_$)[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/.test(name))
      return problem('needs another name: 1 to 24 letters, digits, "-" or single "_"');
    if ((command === undefined) === (url === undefined)) return problem("needs exactly one of command, url");
    if (url !== undefined && (env ?? args ?? cwd) !== undefined)
      return problem("has an url; env, args and cwd are for a command");
    return command !== undefined && headers !== undefined ? problem("has a command; headers are for an url") : [];
  });
}

/** A key with its number; 0 is no limit. */
interface Amount {
  readonly key: string;
  readonly amount: number;
}

/** A warning above its limit. A project or a run may lower a limit without knowing the user's warning. */
function lateWarning(warning: Amount, limit: Amount, locations: ConflictLocations): readonly string[] {
  const { before, isOverridden, value } = locations;
  if (limit.amount === 0 || warning.amount <= limit.amount || isOverridden(warning.key, limit.key)) return [];
  const values = `${value(warning.key, warning.amount)} and ${value(limit.key, limit.amount)}`;
  return [`${before(warning.key, limit.key)}${values}; the warning must not be above the limit`];
}

function stepsWithoutPreset({ agent }: Config, { before, value }: ConflictLocations): readonly string[] {
  const steps = agent.guardrails.max_repeated_tool_steps;
  if (steps === undefined || agent.guardian.preset === "aar") return [];
  const key = "agent.guardrails.max_repeated_tool_steps";
  const preset = value("agent.guardian.preset", agent.guardian.preset);
  return [
    `${before(key)}${value(key, steps)}, which only the preset "aar" uses, and ${preset}; remove one or change the ` +
      "other",
  ];
}

/** Limits over several runs need the saved costs of earlier runs. */
function limitsWithoutStore({ agent, budget }: Config, { before, value }: ConflictLocations): readonly string[] {
  if (agent.checkpoint.enabled) return [];
  const enabled = "agent.checkpoint.enabled";
  return (["monthly_limit_cents", "per_day_limit_cents", "per_session_limit_cents"] as const).flatMap((name) => {
    if (budget[name] === 0) return [];
    const limit = `budget.${name}`;
    const values = `${value(enabled, false)} and ${value(limit, budget[name])}`;
    return [`${before(enabled, limit)}${values}; the limit needs the saved costs of earlier runs`];
  });
}

function policyProblems(config: Config, { below }: ConflictLocations): readonly string[] {
  const policy = buildRunPolicy(config);
  if (policy.ok) return [];
  return policy.problems.map((problem) => `${below(problem.slice(0, problem.indexOf(":")))}${problem}`);
}

function channelProblems({ channels }: Config, { before, below }: ConflictLocations): readonly string[] {
  return Object.entries(channels).flatMap(([name, table]) =>
    findChannelProblems(name, table).map(({ key, sentence }) => {
      const channel = dottedKey(["channels", name]);
      const location = key === undefined ? below(channel) : before(`${channel}.${key}`);
      return `${location === "" ? below(channel) : location}${channel} ${sentence}`;
    }),
  );
}
