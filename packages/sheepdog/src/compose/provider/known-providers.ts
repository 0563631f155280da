/** A provider that is found by its key in the environment, and its default model. */
export interface KnownProvider {
  readonly provider: string;
  /** The name for users. */
  readonly title: string;
  /** Environment variables with its key. The first one that is set counts. */
  readonly keys: readonly string[];
  /** The variable that most users set. */
  readonly usualKey: string;
  /** A model that works well with tools and has a listed price. */
  readonly modelId: string;
  /** The page on which users create a key. */
  readonly keysAt: string;
}

/** A model that can be used without configuration. */
export interface FoundProvider {
  readonly provider: string;
  readonly modelId: string;
  /** Why it was chosen: "ANTHROPIC_API_KEY is set". */
  readonly reason: string;
  /** The address, if it differs from the default of the provider. */
  readonly baseUrl?: string;
}

/** The known providers, in the order of the search. */
export const knownProviders: readonly KnownProvider[] = [
  {
    provider: "anthropic",
    title: "Anthropic",
    keys: ["ANTHROPIC_API_KEY"],
    usualKey: "ANTHROPIC_API_KEY",
    modelId: "claude-sonnet-5",
    keysAt: "https://console.anthropic.com/settings/keys",
  },
  {
    provider: "openai",
    title: "OpenAI",
    keys: ["OPENAI_API_KEY"],
    usualKey: "OPENAI_API_KEY",
    modelId: "gpt-6-sol",
    keysAt: "https://platform.openai.com/api-keys",
  },
  {
    provider: "google",
    title: "Google",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    usualKey: "GEMINI_API_KEY",
    modelId: "gemini-3.8-flash",
    keysAt: "https://aistudio.google.com/apikey",
  },
  {
    provider: "openrouter",
    title: "OpenRouter",
    keys: ["OPENROUTER_API_KEY"],
    usualKey: "OPENROUTER_API_KEY",
    modelId: "anthropic/claude-sonnet-5",
    keysAt: "https://openrouter.ai/settings/keys",
  },
];

/** The name of the variable with the key of a provider; undefined if none is set. A blank variable is not set. */
export function keyVariable(
  { keys }: Pick<KnownProvider, "keys">,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return keys.find((name) => (env[name] ?? "").trim() !== "");
}
