import type { Io } from "../../io.ts";
import { findOllama } from "./find-ollama.ts";
import { type FoundProvider, keyVariable, knownProviders } from "./known-providers.ts";

/** Finds a model if nothing is configured: by the keys in the environment, else a running Ollama. */
export async function findProvider(
  env: Io["env"],
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<FoundProvider | undefined> {
  return findByKey(env) ?? (await findOllama(env, fetch));
}

/** Finds a default model of one provider; undefined if there is none. */
export async function findModelOf(
  provider: string,
  env: Io["env"],
): Promise<Omit<FoundProvider, "reason"> | undefined> {
  if (provider === "ollama") return findOllama(env, globalThis.fetch);
  const preset = knownProviders.find((known) => known.provider === provider);
  return preset === undefined ? undefined : { provider, modelId: preset.modelId };
}

function findByKey(env: Io["env"]): FoundProvider | undefined {
  for (const known of knownProviders) {
    const variable = keyVariable(known, env);
    if (variable !== undefined)
      return { provider: known.provider, modelId: known.modelId, reason: `${variable} is set` };
  }
  return undefined;
}
