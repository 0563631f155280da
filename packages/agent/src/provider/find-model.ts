import { checkBaseUrl } from "./base-url.ts";
import { keylessFetch } from "./key-safe-fetch.ts";
import type { Model } from "./model.ts";
import { type ProviderName, providerNames, providers } from "./providers.ts";

/** Which model to use, and where it is. */
export interface ModelSpec {
  /** One of `providerNames`. */
  readonly provider: string;
  readonly modelId: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Plain http is refused for other machines, unless this asks for it. */
  readonly isPlainHttpAllowed?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a model by `provider:model` or its parts; the provider's package is loaded only now. Rejects with a sentence that says what to set. */
export async function findModel(wanted: string | ModelSpec, env: Environment): Promise<Model> {
  const spec = typeof wanted === "string" ? parseSpec(wanted) : wanted;
  if (!isProvider(spec.provider))
    throw new Error(`There is no provider "${spec.provider}"; there are ${providerNames.join(", ")}.`);
  if (spec.modelId.trim() === "") throw new Error(`No model is named: write it like "${spec.provider}:<model>".`);
  const provider = providers[spec.provider];
  const apiKey = keyOf(spec, provider.keys, env);
  if (apiKey === undefined && provider.isKeyNeeded)
    throw new Error(`There is no API key for ${spec.provider}: set ${provider.keys.join(" or ")}.`);
  const address = spec.baseUrl ?? firstOf(provider.addresses, env) ?? provider.baseUrl;
  if (address === undefined)
    throw new Error(
      `The provider ${spec.provider} needs to know where it is: set the base URL, or ${provider.addresses.join(" or ")}.`,
    );
  const baseURL = checkBaseUrl(address, {
    usualPath: provider.usualPath,
    isPlainHttpAllowed: spec.isPlainHttpAllowed ?? false,
  });
  return provider.create({ baseURL, apiKey, modelId: spec.modelId, name: spec.provider, fetch: keylessFetch(apiKey) });
}

/** The model's own name may hold further colons, as those of Ollama do. */
function parseSpec(text: string): ModelSpec {
  const colon = text.indexOf(":");
  if (colon < 1)
    throw new Error(
      `"${text}" does not say whose model it is: write it like "anthropic:${text || "<model>"}"; there are ${providerNames.join(", ")}.`,
    );
  return { provider: text.slice(0, colon).trim(), modelId: text.slice(colon + 1).trim() };
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name);
}

function keyOf(spec: ModelSpec, names: readonly string[], env: Environment): string | undefined {
  const key = spec.apiKey?.trim() || firstOf(names, env);
  if (key !== undefined && /[^\x21-\x7e]/.test(key))
    throw new Error(
      `The API key for ${spec.provider} holds characters that no key has (a space, a line break, a quote from a document?): copy it again.`,
    );
  return key;
}

function firstOf(names: readonly string[], env: Environment): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
}
