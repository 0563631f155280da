import type { Limit, LimitName, Policy } from "@sheepdog/guardian";
import { aarPolicy, presets } from "@sheepdog/guardian/presets";
import type { Config } from "../schema.ts";
import type { ChosenPolicy } from "./choose-policy.ts";
import { withThreshold } from "./doom-loop-threshold.ts";
import { overlayPolicy } from "./overlay-policy.ts";
import { findRungDisorder } from "./policy-order.ts";

const NANO_USD_PER_CENT = 10_000_000;

/** The presets whose detectors ask for a second opinion. */
const askingPresets: readonly string[] = ["default", "strict"];

/** Builds the policy of a run from the configuration: a preset, the configured changes, and the limits. */
export function buildRunPolicy(config: Pick<Config, "agent" | "budget">): ChosenPolicy {
  const { guardian } = config.agent;
  const preset = presetOf(config.agent);
  const overlayProblems: string[] = [];
  const policy = overlayPolicy(
    { ...preset, detectors: withThreshold(preset.detectors, guardian.doom_loop_threshold) },
    {
      detectors: guardian.detectors,
      tools: [...Object.entries(guardian.tools).map(([match, rule]) => ({ match, ...rule })), ...preset.tools],
    },
    overlayProblems,
  );
  const problems = [...overlayProblems, ...findRungDisorder(policy)].map((problem) => `agent.guardian.${problem}`);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    policy: {
      ...policy,
      mode: guardian.mode === "guide" ? preset.mode : guardian.mode, // a preset that never refuses a call keeps that
      stallMs: guardian.stall_timeout_secs * 1_000,
      unpriced: config.budget.unpriced,
      secondOpinion: askingPresets.includes(guardian.preset) ? guardian.second_opinion : "off",
      detectors: guardian.enabled ? policy.detectors : {},
      limits: buildLimits(config),
    },
  };
}

/** The policy of a run without the configured detectors whose counts contradict each other. */
export function buildValidPolicy({ agent, budget }: Pick<Config, "agent" | "budget">): Policy {
  const built = buildRunPolicy({ agent, budget });
  if (built.ok) return built.policy;
  const { guardian } = agent;
  const isWrong = (name: string) => built.problems.some((each) => each.startsWith(`agent.guardian.detectors.${name}:`));
  const detectors = Object.fromEntries(Object.entries(guardian.detectors).filter(([name]) => !isWrong(name)));
  const rest = buildRunPolicy({ agent: { ...agent, guardian: { ...guardian, detectors } }, budget });
  return rest.ok ? rest.policy : { ...presets.default, limits: buildLimits({ agent, budget }) };
}

function presetOf({ guardian, guardrails }: Config["agent"]): Policy {
  const steps = guardrails.max_repeated_tool_steps;
  if (guardian.preset === "aar" && steps !== undefined) return aarPolicy({ maxRepeatedToolSteps: steps });
  return presets[guardian.preset];
}

function buildLimits({ agent, budget }: Pick<Config, "agent" | "budget">): Policy["limits"] {
  const share = budget.per_run_warning_percent / 100;
  const runNanoUsd = budget.per_run_limit_cents * NANO_USD_PER_CENT;
  const limits: Readonly<Record<LimitName, Limit>> = {
    context: limit(agent.guardian.token_budget_soft, agent.guardian.token_budget_hard),
    "run-tokens": limit(wholeAmount(share * budget.per_run_limit_tokens), budget.per_run_limit_tokens),
    "run-cost": limit(wholeAmount(share * runNanoUsd), wholeAmount(runNanoUsd)),
    "session-cost": limit(0, wholeAmount(budget.per_session_limit_cents * NANO_USD_PER_CENT)),
    "day-cost": limit(0, wholeAmount(budget.per_day_limit_cents * NANO_USD_PER_CENT)),
    "month-cost": limit(
      wholeAmount(budget.warning_threshold_cents * NANO_USD_PER_CENT),
      wholeAmount(budget.monthly_limit_cents * NANO_USD_PER_CENT),
    ),
    turns: limit(0, agent.max_turns),
    time: limit(0, agent.max_duration_secs * 1_000),
  };
  return limits;
}

/** Rounds to whole nano-dollars or tokens. A positive amount is at least 1, because 0 means no limit. */
function wholeAmount(amount: number): number {
  return amount > 0 ? Math.max(1, Math.round(amount)) : 0;
}

/** Omits what is 0: that means off. */
function limit(warn: number, stop: number): Limit {
  return { ...(warn > 0 ? { warn } : {}), ...(stop > 0 ? { stop } : {}) };
}
