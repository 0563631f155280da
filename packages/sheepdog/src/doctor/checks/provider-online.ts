import type { Io } from "../../io.ts";
import { isLoopback } from "../../provider/find-ollama.ts";
import { findProvider } from "../../provider/find-provider.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Where a provider says which models it has, and how it wants its key. */
interface Desk {
  readonly baseUrl?: string;
  readonly addresses?: readonly string[];
  readonly keys: readonly string[];
  readonly path: string;
  headers(key: string): Record<string, string>;
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

const openai: Desk = { baseUrl: "https://api.openai.com/v1", addresses: ["OPENAI_BASE_URL"], keys: ["OPENAI_API_KEY"], path: "/models", headers: bearer };

const desks: Readonly<Record<string, Desk>> = {
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    addresses: ["ANTHROPIC_BASE_URL"],
    keys: ["ANTHROPIC_API_KEY"],
    path: "/models",
    headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  },
  openai,
  "openai-chat": openai,
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    path: "/models",
    headers: (key) => ({ "x-goog-api-key": key }),
  },
  openrouter: { baseUrl: "https://openrouter.ai/api/v1", keys: ["OPENROUTER_API_KEY"], path: "/key", headers: bearer }, // its models are for everybody
  "openai-compatible": { addresses: ["OPENAI_COMPATIBLE_BASE_URL"], keys: ["OPENAI_COMPATIBLE_API_KEY"], path: "/models", headers: bearer },
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", addresses: ["OLLAMA_BASE_URL"], keys: ["OLLAMA_API_KEY"], path: "/models", headers: bearer },
  lmstudio: { baseUrl: "http://127.0.0.1:1234/v1", addresses: ["LMSTUDIO_BASE_URL"], keys: ["LMSTUDIO_API_KEY"], path: "/models", headers: bearer },
  vllm: { baseUrl: "http://127.0.0.1:8000/v1", addresses: ["VLLM_BASE_URL"], keys: ["VLLM_API_KEY"], path: "/models", headers: bearer },
};

const patienceMs = 3_000;

/** Whether the provider answers and takes the key; only where one asks for it. */
export const providerCheck: Check = {
  name: "provider",
  async look(world) {
    if (!world.isOnline) return [ok("It was not asked whether it answers: sheepdog doctor --online does.")];
    const { model } = await world.config();
    const { env } = world.io;
    const found = model.provider === undefined ? await findProvider(env, world.fetch) : undefined;
    const name = model.provider ?? found?.provider;
    const desk = name === undefined ? undefined : desks[name];
    if (name === undefined || desk === undefined) return [warn("There is no provider to ask.")];
    const address = model.base_url ?? found?.baseUrl ?? firstOf(desk.addresses ?? [], env) ?? desk.baseUrl;
    if (address === undefined || !URL.canParse(address)) return [fail(`Where ${name} is, is not known.`, "Set model.base_url.")];
    if (!isSafe(address)) return [warn(`${new URL(address).host} was not asked: it would be plain http, or holds a password.`, "Use https.")];
    return [await ask(desk, address, firstOf(desk.keys, env), world.fetch)];
  },
};

async function ask(desk: Desk, address: string, key: string | undefined, fetch: typeof globalThis.fetch): Promise<Finding> {
  const url = new URL(address);
  if (url.pathname === "/") url.pathname = desk.baseUrl === undefined ? "/v1" : new URL(desk.baseUrl).pathname;
  const target = url.href.replace(/\/+$/, "") + desk.path;
  try {
    const response = await fetch(target, { headers: key === undefined ? {} : desk.headers(key), redirect: "manual", signal: AbortSignal.timeout(patienceMs) });
    await response.body?.cancel();
    return answered(url.host, response.status, desk);
  } catch (error) {
    return fail(`${url.host} does not answer (${why(error)}).`, "Is this machine online, and is the address right?");
  }
}

function answered(host: string, status: number, { keys }: Desk): Finding {
  if (status >= 200 && status < 300) return ok(`${host} answers and takes the key.`);
  if (status === 401 || status === 403) return fail(`${host} refuses the key (${status}).`, `Set a valid one: ${keys.join(" or ")}`);
  return warn(`${host} answers with ${status}: it is there, and more cannot be said.`);
}

function why(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return `not within ${patienceMs / 1_000} seconds`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? ("code" in cause && typeof cause.code === "string" ? cause.code : cause.name) : "it failed";
}

/** A key goes nowhere where it could be read on the way. */
function isSafe(address: string): boolean {
  const url = new URL(address);
  return url.username === "" && url.password === "" && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(address)));
}

function firstOf(names: readonly string[], env: Io["env"]): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
}
