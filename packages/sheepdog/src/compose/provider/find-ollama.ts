import type { Io } from "../../io.ts";
import type { FoundProvider } from "./find-provider.ts";

const usualAddress = "http://127.0.0.1:11434";
const patienceMs = 300;

/** The first model of an Ollama that answers, on this machine unless the environment names another. */
export async function findOllama(env: Io["env"], fetch: typeof globalThis.fetch): Promise<FoundProvider | undefined> {
  const address = ollamaAddress(env);
  if (address === undefined) return undefined;
  const modelId = firstModel(await tagsAt(address, fetch));
  if (modelId === undefined) return undefined;
  return {
    provider: "ollama",
    modelId,
    because: `Ollama runs at ${address}`,
    ...(address === usualAddress ? {} : { baseUrl: `${address}/v1` }),
  };
}

/** Where Ollama is, without the paths of its interfaces; undefined where a variable names no address. A host alone is read as Ollama reads it. */
export function ollamaAddress(env: Io["env"]): string | undefined {
  const named = env["OLLAMA_BASE_URL"]?.trim() || env["OLLAMA_HOST"]?.trim();
  if (!named) return usualAddress;
  const isHostOnly = !/^[a-z]+:\/\//i.test(named);
  const text = isHostOnly ? `http://${named}` : named;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  if (isHostOnly && !/:\d+(?:\/|$)/.test(named)) url.port = "11434";
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1"; // it listens everywhere, and is asked here
  return url.origin + url.pathname.replace(/\/(?:v1|api)?\/*$/, "");
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return /^(?:localhost|.+\.localhost|\[::1\]|127(?:\.\d+){3})$/.test(new URL(address).hostname);
}

/** What Ollama says it has; undefined where nobody answers in time. */
async function tagsAt(address: string, fetch: typeof globalThis.fetch): Promise<unknown> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(patienceMs), redirect: "error" });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined; // not there, too slow, or something else altogether: there is no Ollama to use
  }
}

function firstModel(tags: unknown): string | undefined {
  const models =
    typeof tags === "object" && tags !== null && "models" in tags && Array.isArray(tags.models)
      ? (tags.models as readonly unknown[])
      : [];
  return models.map(nameOf).find((name) => name !== undefined);
}

const aName = /^[\w./:@+-]{1,200}$/;

/** The name of a model that can talk; those that only embed text cannot. */
function nameOf(model: unknown): string | undefined {
  if (typeof model !== "object" || model === null || !("name" in model) || typeof model.name !== "string")
    return undefined;
  return aName.test(model.name) && !/embed|\bbge-|minilm/i.test(model.name) ? model.name : undefined;
}
