import { findModel, type Model, type ModelSpec } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { findModelOf, findProvider } from "./provider/find-provider.ts";
import { shownAddress } from "./provider/shown-address.ts";

/** The models of a run, the name of the first, and notes about fallback models that cannot be used. */
export type ChosenModel =
  | {
      readonly ok: true;
      readonly models: readonly [Model, ...Model[]];
      readonly name: string;
      /** Where requests go, if that is not the provider's own address. */
      readonly address?: string;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[]; readonly isModelMissing?: true };

/** Chooses the configured model, or one that the environment has a key for; and the fallback models. */
export async function chooseModel(
  config: Pick<Config, "model" | "fallback_models" | "security">,
  env: Io["env"],
): Promise<ChosenModel> {
  const isPlainHttpAllowed = config.security.allow_plain_http;
  const found = await findSpec(config.model, env);
  if (found === undefined)
    return {
      ok: false,
      problems: ["No model is configured, and the environment has no key for one."],
      isModelMissing: true,
    };
  if (typeof found === "string") return { ok: false, problems: [found] };
  const spec = { ...found, isPlainHttpAllowed };
  const first = await load(spec, env);
  if (typeof first === "string") return { ok: false, problems: [first] };
  const fallbacks = await Promise.all(
    config.fallback_models.map(({ provider, model_id, base_url }) =>
      load({ ...createSpec(provider, model_id, base_url), isPlainHttpAllowed }, env),
    ),
  );
  const address = shownAddress(spec, env);
  return {
    ok: true,
    ...(address === undefined ? {} : { address }),
    models: [first, ...fallbacks.filter((model) => typeof model !== "string")],
    name: `${spec.provider}:${spec.modelId}`,
    notes: fallbacks
      .filter((model) => typeof model === "string")
      .map((problem) => `A fallback model cannot be used: ${problem}`),
  };
}

/** The model to use; a sentence if the configuration is incomplete; undefined if nothing is configured or found. */
async function findSpec(
  { provider, model_id: modelId, base_url: baseUrl }: Config["model"],
  env: Io["env"],
): Promise<ModelSpec | string | undefined> {
  if (provider !== undefined && modelId !== undefined) return createSpec(provider, modelId, baseUrl);
  const found = provider === undefined ? await findProvider(env) : await findModelOf(provider, env);
  if (found === undefined && provider !== undefined)
    return `model.provider is "${provider}", but model.model_id is not set; set it to a model of this provider.`;
  if (found === undefined)
    return modelId === undefined
      ? undefined
      : `model.model_id is "${modelId}", but model.provider is not set; set it to the provider of this model.`;
  return createSpec(found.provider, modelId ?? found.modelId, baseUrl ?? found.baseUrl);
}

function createSpec(provider: string, modelId: string, baseUrl: string | undefined): ModelSpec {
  return { provider, modelId, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

/** Loads a model; returns a sentence if that fails. */
async function load(spec: ModelSpec, env: Io["env"]): Promise<Model | string> {
  try {
    return await findModel(spec, env);
  } catch (error) {
    return redactSecrets(error instanceof Error ? error.message : String(error));
  }
}
