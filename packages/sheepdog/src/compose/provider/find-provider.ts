import type { Io } from "../../io.ts";
import { findOllama } from "./find-ollama.ts";
import { keyVariable, knownProviders } from "./known-providers.ts";

/** A model that can be used without any configuration. */
export interface FoundProvider {
  readonly provider: string;
  readonly modelId: string;
  /** Why it was taken: "ANTHROPIC_API_KEY is set". */
  readonly because: string;
  /** Where it is, where that is not where the provider's models usually are. */
  readonly baseUrl?: string;
}

/** Which model to use where nothing is configured: by the keys in the environment, else a running Ollama. */
export async function findProvider(
  env: Io["env"],
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<FoundProvider | undefined> {
  return findByKey(env) ?? (await findOllama(env, fetch));
}

/** Which model of one provider to use where none is named; undefined where that cannot be known. */
export async function findModelOf(
  provider: string,
  env: Io["env"],
): Promise<Omit<FoundProvider, "because"> | undefined> {
  if (provider === "ollama") return findOllama(env, globalThis.fetch);
  const known = knownProviders.find((each) => each.provider === provider);
  return known === undefined ? undefined : { provider, modelId: known.modelId };
}

function findByKey(env: Io["env"]): FoundProvider | undefined {
  for (const known of knownProviders) {
    const variable = keyVariable(known, env);
    if (variable !== undefined)
      return { provider: known.provider, modelId: known.modelId, because: `${variable} is set` };
  }
  return undefined;
}
