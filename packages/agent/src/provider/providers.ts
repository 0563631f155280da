import type { Model } from "./model.ts";

/** The arguments for a provider's package. */
interface ModelArguments {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly modelId: string;
  readonly name: string;
  readonly fetch: typeof fetch;
}

/** A model provider that can be configured by name. */
export interface Provider {
  /** Environment variables for the key; the first one that is set is used. */
  readonly keys: readonly string[];
  readonly isKeyNeeded: boolean;
  /** Environment variables for the base URL. */
  readonly addresses: readonly string[];
  readonly baseUrl?: string;
  /** Path for a base URL that names a host only. */
  readonly usualPath: string;
  readonly create: (args: ModelArguments) => Promise<Model>;
}

/** All providers. Each loads its package when it is used. */
export const providers: {
  readonly anthropic: Provider;
  readonly openai: Provider;
  readonly "openai-chat": Provider;
  readonly google: Provider;
  readonly "openai-compatible": Provider;
  readonly openrouter: Provider;
  readonly ollama: Provider;
  readonly lmstudio: Provider;
  readonly vllm: Provider;
} = {
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    isKeyNeeded: true,
    addresses: ["ANTHROPIC_BASE_URL"],
    baseUrl: "https://api.anthropic.com/v1",
    usualPath: "/v1",
    async create({ modelId, apiKey = "", baseURL, fetch }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey, baseURL, fetch })(modelId);
    },
  },
  openai: {
    ...openai(),
    async create({ modelId, apiKey = "", baseURL, fetch }) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, baseURL, fetch }).responses(modelId);
    },
  },
  "openai-chat": {
    ...openai(),
    async create({ modelId, apiKey = "", baseURL, fetch }) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, baseURL, fetch }).chat(modelId);
    },
  },
  google: {
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    isKeyNeeded: true,
    addresses: [],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    usualPath: "/v1beta",
    async create({ modelId, apiKey = "", baseURL, fetch }) {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ apiKey, baseURL, fetch })(modelId);
    },
  },
  "openai-compatible": compatible({ keys: ["OPENAI_COMPATIBLE_API_KEY"], addresses: ["OPENAI_COMPATIBLE_BASE_URL"] }),
  openrouter: compatible({ keys: ["OPENROUTER_API_KEY"], isKeyNeeded: true, baseUrl: "https://openrouter.ai/api/v1" }),
  ollama: compatible({
    keys: ["OLLAMA_API_KEY"],
    addresses: ["OLLAMA_BASE_URL"],
    baseUrl: "http://127.0.0.1:11434/v1",
  }),
  lmstudio: compatible({
    keys: ["LMSTUDIO_API_KEY"],
    addresses: ["LMSTUDIO_BASE_URL"],
    baseUrl: "http://127.0.0.1:1234/v1",
  }),
  vllm: compatible({ keys: ["VLLM_API_KEY"], addresses: ["VLLM_BASE_URL"], baseUrl: "http://127.0.0.1:8000/v1" }),
};

export type ProviderName = keyof typeof providers;

/** Names of all providers, for messages and menus. */
export const providerNames: readonly string[] = Object.keys(providers);

function openai(): Omit<Provider, "create"> {
  return {
    keys: ["OPENAI_API_KEY"],
    isKeyNeeded: true,
    addresses: ["OPENAI_BASE_URL"],
    baseUrl: "https://api.openai.com/v1",
    usualPath: "/v1",
  };
}

/** OpenAI-compatible chat completions. Such servers report usage only on request (`includeUsage`). */
function compatible(own: Pick<Provider, "keys"> & Partial<Provider>): Provider {
  return {
    isKeyNeeded: false,
    addresses: [],
    usualPath: "/v1",
    async create({ name, modelId, apiKey, baseURL, fetch }) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name,
        baseURL,
        fetch,
        includeUsage: true,
        ...(apiKey === undefined ? {} : { apiKey }),
      })(modelId);
    },
    ...own,
  };
}
