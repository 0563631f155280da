import { findModel, type Model, type ModelSpec } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { findModelOf, findProvider } from "./provider/find-provider.ts";
import { shownAddress } from "./provider/shown-address.ts";

/** A model whose requests do not go to the provider's own address, and the address as it is shown. */
export interface ShownModelAddress {
  /** "anthropic:claude-…" */
  readonly name: string;
  readonly address: string;
  readonly isFallback: boolean;
}

/** The models of a run, the name of the first, and notes about fallback models that cannot be used. */
export type ChosenModel =
  | {
      readonly ok: true;
      readonly models: readonly [Model, ...Model[]];
      readonly name: string;
      /** Of each model, in their order. */
      readonly specs: readonly [ModelSpec, ...ModelSpec[]];
      /** In the order of the models, only those that can be used. */
      readonly addresses: readonly ShownModelAddress[];
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
    config.fallback_models.map(async ({ provider, model_id, base_url }) => {
      const fallbackSpec = { ...createSpec(provider, model_id, base_url), isPlainHttpAllowed };
      return { spec: fallbackSpec, model: await load(fallbackSpec, env) };
    }),
  );
  const usableSpecs: readonly [ModelSpec, ...ModelSpec[]] = [
    spec,
    ...fallbacks.filter(({ model }) => typeof model !== "string").map(({ spec }) => spec),
  ];
  const models = fallbacks.map(({ model }) => model);
  return {
    ok: true,
    models: [first, ...models.filter((model) => typeof model !== "string")],
    name: modelName(spec),
    specs: usableSpecs,
    addresses: usableSpecs.flatMap((usable) => shownModelAddress(usable, { env, isFallback: usable !== spec })),
    notes: models
      .filter((model) => typeof model === "string")
      .map((problem) => `A fallback model cannot be used: ${problem}`),
  };
}

function shownModelAddress(
  spec: ModelSpec,
  { env, isFallback }: { readonly env: Io["env"]; readonly isFallback: boolean },
): readonly ShownModelAddress[] {
  const address = shownAddress(spec, env);
  return address === undefined ? [] : [{ name: modelName(spec), address, isFallback }];
}

function modelName({ provider, modelId }: ModelSpec): string {
  return `${provider}:${modelId}`;
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
