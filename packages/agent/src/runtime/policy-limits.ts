import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import type { AgentSettings } from "../protocol/settings.ts";

/** The policy of a runtime without one of its own. The runtime answers requests for an opinion. */
export const defaultRunPolicy: Policy = { ...defaultPolicy, secondOpinion: "before-force" };

/** The policy with the limits of the settings, where it has none of its own. */
export function policyWithLimits(policy: Policy, settings: AgentSettings): Policy {
  const settingsLimits: Policy["limits"] = {
    turns: { stop: settings.maxTurns },
    time: { stop: settings.maxDurationSecs * 1_000 },
    context: { warn: 80, stop: 95 },
  };
  return { ...policy, limits: { ...settingsLimits, ...policy.limits } };
}
