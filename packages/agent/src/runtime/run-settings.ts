import { modelSize, unknownModelSize } from "@sheepdog/records";
import { type AgentSettings, completeSettings } from "../protocol/settings.ts";
import type { Model } from "../provider/model.ts";

interface SettingsSource {
  readonly models: readonly Pick<Model, "modelId">[];
  readonly attended: boolean;
  readonly settings?: Partial<AgentSettings>;
}

/**
 * The settings of a run. What is not set depends on the model (how much it reads and writes) and on whether the user
 * is watching (how often a request is retried).
 */
export function runSettings({ models, attended, settings = {} }: SettingsSource): AgentSettings {
  const size = modelSize(models[0]?.modelId ?? "");
  const { window, output } = size ?? unknownModelSize;
  return completeSettings({
    ...settings,
    maxContextTokens: settings.maxContextTokens ?? window,
    contextWindow: settings.contextWindow ?? size?.window ?? 0,
    maxOutputTokens: settings.maxOutputTokens ?? output,
    ...(attended ? {} : { maxRetries: settings.maxRetries ?? Number.POSITIVE_INFINITY }),
  });
}
