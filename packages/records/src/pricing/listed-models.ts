/** The ids of the models that the price list has for a provider, such as `openai`; empty for an unknown provider. */
export async function listedModels(provider: string): Promise<readonly string[]> {
  const { findProvider } = await import("@pydantic/genai-prices");
  return findProvider({ providerId: provider })?.models.map(({ id }) => id) ?? [];
}
