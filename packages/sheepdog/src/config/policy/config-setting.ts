import type { Limit, LimitName, Policy } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { withThreshold } from "./doom-loop-threshold.ts";

/** Changes a policy as a key of the configuration would; a sentence if the value is wrong. */
type ConfigSetting = (policy: Policy, value: unknown) => Policy | string;

const NANO_USD_PER_CENT = 10_000_000;
/** The default of `budget.per_run_warning_percent`. */
const WARNING_SHARE = 0.8;

/** The keys of the configuration that change a policy, without their section. */
const settings: Readonly<Record<string, { readonly section: string; readonly apply: ConfigSetting }>> = {
  doom_loop_threshold: {
    section: "agent.guardian",
    apply: wholeNumber(2, (policy, hint) => ({ ...policy, detectors: withThreshold(policy.detectors, hint) })),
  },
  stall_timeout_secs: {
    section: "agent.guardian",
    apply: wholeNumber(0, (policy, seconds) => ({ ...policy, stallMs: seconds * 1_000 })),
  },
  enabled: {
    section: "agent.guardian",
    apply: (policy, value) =>
      typeof value === "boolean" ? { ...policy, detectors: value ? policy.detectors : {} } : "it must be true or false",
  },
  preset: { section: "agent.guardian", apply: (_, value) => presetNamed(value) },
  max_turns: {
    section: "agent",
    apply: wholeNumber(0, (policy, turns) => withLimit(policy, "turns", { stop: turns })),
  },
  max_duration_secs: {
    section: "agent",
    apply: wholeNumber(0, (policy, seconds) => withLimit(policy, "time", { stop: seconds * 1_000 })),
  },
  per_run_limit_cents: {
    section: "budget",
    apply: wholeNumber(0, (policy, cents) => withLimit(policy, "run-cost", warned(cents * NANO_USD_PER_CENT))),
  },
  per_run_limit_tokens: {
    section: "budget",
    apply: wholeNumber(0, (policy, tokens) => withLimit(policy, "run-tokens", warned(tokens))),
  },
};

/** The keys of the configuration that can be set like keys of a policy. */
export const configSettingNames: readonly string[] = Object.keys(settings);

/** The setting of a key, with its section or without; undefined if the configuration has no such key. */
export function configSetting(key: string): ConfigSetting | undefined {
  const name = key.slice(key.lastIndexOf(".") + 1);
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return setting !== undefined && (key === name || key === `${setting.section}.${name}`) ? setting.apply : undefined;
}

function wholeNumber(min: number, apply: (policy: Policy, value: number) => Policy): ConfigSetting {
  return (policy, value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= min
      ? apply(policy, value)
      : `it must be a whole number of at least ${min}`;
}

function presetNamed(value: unknown): Policy | string {
  const entry = Object.entries(presets).find(([name]) => name === value);
  return entry?.[1] ?? `it must be one of ${Object.keys(presets).join(", ")}`;
}

/** 0 is no limit. */
function withLimit(policy: Policy, name: LimitName, limit: Limit): Policy {
  const { [name]: _, ...others } = policy.limits;
  return { ...policy, limits: (limit.stop ?? 0) > 0 ? { ...others, [name]: limit } : others };
}

function warned(stop: number): Limit {
  return { warn: Math.max(1, Math.round(WARNING_SHARE * stop)), stop };
}
