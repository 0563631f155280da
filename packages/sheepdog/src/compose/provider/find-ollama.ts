import type { Io } from "../../io.ts";
import type { FoundProvider } from "./known-providers.ts";

const defaultAddress = "http://127.0.0.1:11434";
const timeoutMs = 300;

/** Finds the first model of a running Ollama: on this machine, or where the environment says. */
export async function findOllama(env: Io["env"], fetch: typeof globalThis.fetch): Promise<FoundProvider | undefined> {
  const address = ollamaAddress(env);
  if (address === undefined) return undefined;
  const modelId = firstModel(await fetchTags(address, fetch));
  if (modelId === undefined) return undefined;
  return {
    provider: "ollama",
    modelId,
    reason: `Ollama runs at ${address}`,
    ...(address === defaultAddress ? {} : { baseUrl: `${address}/v1` }),
  };
}

/**
 * The address of Ollama without the path of an API; undefined if the variable is not an address. A host without a
 * scheme is read as Ollama reads it.
 */
export function ollamaAddress(env: Io["env"]): string | undefined {
  const address = env["OLLAMA_BASE_URL"]?.trim() || env["OLLAMA_HOST"]?.trim();
  if (!address) return defaultAddress;
  const isHostOnly = !/^[a-z]+:\/\//i.test(address);
  const text = isHostOnly ? `http://${address}` : address;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (isHostOnly && !/:\d+(?:\/|$)/.test(address)) url.port = "11434";
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1"; // it listens on all interfaces
  return url.origin + url.pathname.replace(/\/(?:v1|api)?\/*$/, "");
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return /^(?:localhost|.+\.localhost|\[::1\]|127(?:\.\d+){3})$/.test(new URL(address).hostname);
}

/** The models that Ollama lists; undefined if it does not answer in time. */
async function fetchTags(address: string, fetch: typeof globalThis.fetch): Promise<unknown> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined; // not running, too slow, or not an Ollama
  }
}

function firstModel(tags: unknown): string | undefined {
  const models =
    typeof tags === "object" && tags !== null && "models" in tags && Array.isArray(tags.models)
      ? (tags.models as readonly unknown[])
      : [];
  return models.map(chatModelName).find((name) => name !== undefined);
}

const modelName = /^[\w./:@+-]{1,200}$/;

/** The name of a model that can chat; undefined for embedding models. */
function chatModelName(model: unknown): string | undefined {
  if (typeof model !== "object" || model === null || !("name" in model) || typeof model.name !== "string")
    return undefined;
  return modelName.test(model.name) && !/embed|\bbge-|minilm/i.test(model.name) ? model.name : undefined;
}
