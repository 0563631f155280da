import { protocols } from "./price-list.ts";

/**
 * The ids of the models that the price list has for a provider, such as `openai`. Empty for an unknown provider, and
 * for a server of unknown models, such as `openai-compatible`: the library would take it for `openai`.
 */
export async function listedModels(provider: string): Promise<readonly string[]> {
  if (protocols.has(provider)) return [];
  const { findProvider } = await import("@pydantic/genai-prices");
  return findProvider({ providerId: provider })?.models.map(({ id }) => id) ?? [];
}
