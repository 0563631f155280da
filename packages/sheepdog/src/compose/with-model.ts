import { providerNames } from "@sheepdog/agent";
import { closestName } from "@sheepdog/guardian";
import type { Config } from "../config/schema.ts";

/** The configuration with another model, or a sentence about the problem. */
export type WithModel =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problem: string };

type Provider = NonNullable<Config["model"]["provider"]>;

/**
 * Sets the model of `--model provider:id`, or of another `option`. Drops a base URL that is configured for another
 * provider: the key of this provider must not be sent there.
 */
export function withModel(config: Config, wanted: string, option = "--model"): WithModel {
  const colon = wanted.indexOf(":");
  const [provider, modelId] = [wanted.slice(0, colon).trim(), wanted.slice(colon + 1).trim()];
  if (colon < 1 || modelId === "")
    return { ok: false, problem: `${option} ${wanted}: it must be provider:model, e.g. anthropic:claude-sonnet-5` };
  if (!isProvider(provider))
    return { ok: false, problem: `${option} ${wanted}: there is no provider "${provider}"; ${nearest(provider)}` };
  const { base_url: baseUrl, ...model } = config.model;
  const keepsUrl = baseUrl !== undefined && (config.model.provider ?? provider) === provider;
  return {
    ok: true,
    config: { ...config, model: { ...model, provider, model_id: modelId, ...(keepsUrl ? { base_url: baseUrl } : {}) } },
  };
}

function isProvider(name: string): name is Provider {
  return providerNames.includes(name); // the schema has the same names
}

function nearest(name: string): string {
  const near = closestName(name, providerNames);
  return near === undefined ? `valid are ${providerNames.join(", ")}` : `did you mean "${near}"?`;
}
