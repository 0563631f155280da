import { checkBaseUrl } from "./base-url.ts";
import { createKeySafeFetch } from "./key-safe-fetch.ts";
import type { Model } from "./model.ts";
import { type Provider, type ProviderName, providerNames, providers } from "./providers.ts";

/** Which model to use, and its address. */
export interface ModelSpec {
  /** One of `providerNames`. */
  readonly provider: string;
  readonly modelId: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Allows plain http to other machines; default: false. */
  readonly isPlainHttpAllowed?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds a model by `provider:model` or by its spec, and loads the provider's package. Rejects with a sentence that
 * says what to set.
 */
export async function findModel(nameOrSpec: string | ModelSpec, env: Environment): Promise<Model> {
  const spec = typeof nameOrSpec === "string" ? parseSpec(nameOrSpec) : nameOrSpec;
  const provider = providerOf(spec);
  if (spec.modelId.trim() === "") throw new Error(`The model is missing: write it like "${spec.provider}:<model>".`);
  const apiKey = readKey(spec, provider.keys, env);
  if (apiKey === undefined && provider.isKeyNeeded)
    throw new Error(`There is no API key for ${spec.provider}: set ${provider.keys.join(" or ")}.`);
  return provider.create({
    baseURL: findAddress(spec, env),
    apiKey,
    modelId: spec.modelId,
    name: spec.provider,
    fetch: createKeySafeFetch(apiKey),
  });
}

/** The address that requests for a model go to. Throws a sentence if there is none, or it is not safe. */
export function findAddress(spec: Omit<ModelSpec, "modelId" | "apiKey">, env: Environment): string {
  const { usualPath, addresses, baseUrl } = providerOf(spec);
  const address = spec.baseUrl ?? firstValue(addresses, env) ?? baseUrl;
  if (address === undefined)
    throw new Error(
      `The provider ${spec.provider} needs an address: set model.base_url, or ${addresses.join(" or ")}.`,
    );
  return checkBaseUrl(address, { usualPath, isPlainHttpAllowed: spec.isPlainHttpAllowed ?? false });
}

function providerOf({ provider }: Pick<ModelSpec, "provider">): Provider {
  if (isProvider(provider)) return providers[provider];
  throw new Error(`There is no provider "${provider}"; there are ${providerNames.join(", ")}.`);
}

/** Splits at the first colon: model names of Ollama contain further colons. */
function parseSpec(text: string): ModelSpec {
  const colon = text.indexOf(":");
  if (colon < 1)
    throw new Error(
      `"${text}" does not name a provider: write it like "anthropic:${text || "<model>"}"; ` +
        `there are ${providerNames.join(", ")}.`,
    );
  return { provider: text.slice(0, colon).trim(), modelId: text.slice(colon + 1).trim() };
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name);
}

function readKey(spec: ModelSpec, names: readonly string[], env: Environment): string | undefined {
  const key = spec.apiKey?.trim() || firstValue(names, env);
  if (key !== undefined && /[^\x21-\x7e]/.test(key))
    throw new Error(
      `The API key for ${spec.provider} contains a character that keys do not have, such as a space or a line break: ` +
        "copy it again.",
    );
  return key;
}

function firstValue(names: readonly string[], env: Environment): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
}
