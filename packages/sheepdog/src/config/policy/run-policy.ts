import type { Limit, LimitName, Policy, Rungs } from "@sheepdog/guardian";
import { aarPolicy, presets } from "@sheepdog/guardian/presets";
import type { Config } from "../schema.ts";
import { fallingRungs } from "./check-rung-order.ts";
import type { ChosenPolicy } from "./choose-policy.ts";
import { overlayPolicy } from "./overlay-policy.ts";

const NANO_USD_PER_CENT = 10_000_000;

/** What `doom_loop_threshold` is where nobody sets it: the preset's own counts hold. */
const USUAL_THRESHOLD = 3;

/** Detectors that count equal calls. */
const counting: readonly string[] = ["doom-loop", "failing-call", "seed-ryvos"];

/** The policy of a run, by the configuration: a preset with what is said of it laid over, and the limits. */
export function buildRunPolicy(config: Pick<Config, "agent" | "budget">): ChosenPolicy {
  const { guardian } = config.agent;
  const preset = presetOf(config.agent);
  const found: string[] = [];
  const laidOver = overlayPolicy(
    { ...preset, detectors: withThreshold(preset.detectors, guardian.doom_loop_threshold) },
    {
      detectors: guardian.detectors,
      tools: [...Object.entries(guardian.tools).map(([match, rule]) => ({ match, ...rule })), ...preset.tools],
    },
    found,
  );
  const problems = [...found, ...fallingRungs(laidOver)].map((problem) => `agent.guardian.${problem}`);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    policy: {
      ...laidOver,
      mode: guardian.mode === "guide" ? preset.mode : guardian.mode, // a preset that never refuses a call stays so
      stallMs: guardian.stall_timeout_secs * 1_000,
      unpriced: config.budget.unpriced,
      detectors: guardian.enabled ? laidOver.detectors : {},
      limits: limitsOf(config),
    },
  };
}

function presetOf({ guardian, guardrails }: Config["agent"]): Policy {
  const steps = guardrails.max_repeated_tool_steps;
  if (guardian.preset === "aar" && steps !== undefined) return aarPolicy({ maxRepeatedToolSteps: steps });
  return presets[guardian.preset];
}

/** The hint moves to the threshold, and the later rungs with it. */
function withThreshold(detectors: Policy["detectors"], threshold: number): Policy["detectors"] {
  if (threshold === USUAL_THRESHOLD) return detectors;
  return Object.fromEntries(
    Object.entries(detectors).map(([name, rungs]) => [name, counting.includes(name) ? moved(rungs, threshold) : rungs]),
  );
}

function moved(rungs: Rungs, hint: number): Rungs {
  const distance = hint - (rungs.hint ?? hint);
  return Object.fromEntries(Object.entries(rungs).map(([level, rung]) => [level, rung + distance]));
}

function limitsOf({ agent, budget }: Pick<Config, "agent" | "budget">): Policy["limits"] {
  const share = budget.per_run_warning_percent / 100;
  const runNanoUsd = budget.per_run_limit_cents * NANO_USD_PER_CENT;
  const limits: Readonly<Record<LimitName, Limit>> = {
    context: limit(agent.guardian.token_budget_soft, agent.guardian.token_budget_hard),
    "run-tokens": limit(whole(share * budget.per_run_limit_tokens), budget.per_run_limit_tokens),
    "run-cost": limit(whole(share * runNanoUsd), whole(runNanoUsd)),
    "session-cost": limit(0, whole(budget.per_session_limit_cents * NANO_USD_PER_CENT)),
    "day-cost": limit(0, whole(budget.per_day_limit_cents * NANO_USD_PER_CENT)),
    "month-cost": limit(
      whole(budget.warning_threshold_cents * NANO_USD_PER_CENT),
      whole(budget.monthly_limit_cents * NANO_USD_PER_CENT),
    ),
    turns: limit(0, agent.max_turns),
    time: limit(0, agent.max_duration_secs * 1_000),
  };
  return limits;
}

/** A whole number of nano-dollars or tokens. The smallest amount is one: it must not become the 0 that means none. */
function whole(amount: number): number {
  return amount > 0 ? Math.max(1, Math.round(amount)) : 0;
}

/** What is 0 is off. */
function limit(warn: number, stop: number): Limit {
  return { ...(warn > 0 ? { warn } : {}), ...(stop > 0 ? { stop } : {}) };
}
