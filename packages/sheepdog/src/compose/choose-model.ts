import { findModel, type Model, type ModelSpec } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { findModelOf, findProvider } from "./provider/find-provider.ts";

/** The models of a run, the first one's name, and sentences about those to fall back to that cannot be had. */
export type ChosenModel =
  | {
      readonly ok: true;
      readonly models: readonly [Model, ...Model[]];
      readonly name: string;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[]; readonly hasNoModel?: true };

/** The configured model, else one that the environment has a key for, and those to fall back to. */
export async function chooseModel(
  config: Pick<Config, "model" | "fallback_models">,
  env: Io["env"],
): Promise<ChosenModel> {
  const wanted = await wantedModel(config.model, env);
  if (wanted === undefined)
    return {
      ok: false,
      problems: ["No model is configured, and none was found by the environment."],
      hasNoModel: true,
    };
  if (typeof wanted === "string") return { ok: false, problems: [wanted] };
  const first = await load(wanted, env);
  if (typeof first === "string") return { ok: false, problems: [first] };
  const others = await Promise.all(
    config.fallback_models.map((each) => load(specOf(each.provider, each.model_id, each.base_url), env)),
  );
  return {
    ok: true,
    models: [first, ...others.filter((other) => typeof other !== "string")],
    name: `${wanted.provider}:${wanted.modelId}`,
    notes: others
      .filter((other) => typeof other === "string")
      .map((problem) => `A model to fall back to cannot be used: ${problem}`),
  };
}

/** What is asked for; a sentence where that is only half of a name, undefined where nothing is said and nothing found. */
async function wantedModel(
  { provider, model_id: modelId, base_url: baseUrl }: Config["model"],
  env: Io["env"],
): Promise<ModelSpec | string | undefined> {
  if (provider !== undefined && modelId !== undefined) return specOf(provider, modelId, baseUrl);
  const found = provider === undefined ? await findProvider(env) : await findModelOf(provider, env);
  if (found === undefined && provider !== undefined)
    return `model.provider is "${provider}", and model.model_id does not say which of its models.`;
  if (found === undefined)
    return modelId === undefined
      ? undefined
      : `model.model_id is "${modelId}", and model.provider does not say whose model that is.`;
  return specOf(found.provider, modelId ?? found.modelId, baseUrl ?? found.baseUrl);
}

function specOf(provider: string, modelId: string, baseUrl: string | undefined): ModelSpec {
  return { provider, modelId, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

/** The model, or a sentence about why it cannot be had. */
async function load(spec: ModelSpec, env: Io["env"]): Promise<Model | string> {
  try {
    return await findModel(spec, env);
  } catch (error) {
    return redactSecrets(error instanceof Error ? error.message : String(error));
  }
}
