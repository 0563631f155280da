/** The names of the conventions for the providers of the AI SDK's packages, by the first word of their own name. */
const names: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  azure: "azure.ai.openai",
  "azure-openai": "azure.ai.openai",
  google: "gcp.gemini",
  "amazon-bedrock": "aws.bedrock",
  bedrock: "aws.bedrock",
  mistral: "mistral_ai",
  xai: "x_ai",
  deepseek: "deepseek",
  groq: "groq",
  cohere: "cohere",
  perplexity: "perplexity",
};

/**
 * The provider as `gen_ai.provider.name`: the name in the conventions, or else the provider's own. The kind of API at
 * its end is left out: `openai.responses` is `openai`.
 */
export function providerName(provider: string): string {
  if (/^google\.vertex/.test(provider)) return "gcp.vertex_ai";
  const [first = ""] = provider.split(".");
  return names[first] ?? (first === "" ? "unknown" : first);
}
