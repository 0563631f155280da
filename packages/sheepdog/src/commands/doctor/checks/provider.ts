import { type Provider, providers } from "@sheepdog/agent";
import { isLoopback } from "../../../compose/provider/find-ollama.ts";
import { findProvider } from "../../../compose/provider/find-provider.ts";
import type { Io } from "../../../io.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Where a provider says which models it has, and how it wants its key. */
interface Desk {
  readonly path: string;
  headers(key: string): Record<string, string>;
}

const usual: Desk = { path: "/models", headers: (key) => ({ authorization: `Bearer ${key}` }) };

const desks: Readonly<Record<string, Desk>> = {
  anthropic: { path: "/models", headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }) },
  google: { path: "/models", headers: (key) => ({ "x-goog-api-key": key }) },
  openrouter: { ...usual, path: "/key" }, // its models are for everybody
};

const patienceMs = 3_000;

/** Whether the provider answers and takes the key; only where one asks for it. */
export const providerCheck: Check = {
  name: "provider",
  async run(world) {
    if (!world.isOnline) return [ok("It was not asked whether it answers: sheepdog doctor --online does.")];
    const { model } = await world.config();
    const { env } = world.io;
    const found = model.provider === undefined ? await findProvider(env, world.fetch) : undefined;
    const name = model.provider ?? found?.provider;
    const provider = name === undefined ? undefined : (providers as Readonly<Record<string, Provider>>)[name];
    if (name === undefined || provider === undefined) return [warn("There is no provider to ask.")];
    const address = model.base_url ?? found?.baseUrl ?? firstOf(provider.addresses, env) ?? provider.baseUrl;
    if (address === undefined || !URL.canParse(address))
      return [fail(`Where ${name} is, is not known.`, "Set model.base_url.")];
    if (!isSafe(address))
      return [
        warn(`${new URL(address).host} was not asked: it would be plain http, or holds a password.`, "Use https."),
      ];
    return [
      await ask(provider, address, {
        desk: desks[name] ?? usual,
        key: firstOf(provider.keys, env),
        fetch: world.fetch,
      }),
    ];
  },
};

interface Asking {
  readonly desk: Desk;
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

async function ask(provider: Provider, address: string, { desk, key, fetch }: Asking): Promise<Finding> {
  const url = new URL(address);
  if (url.pathname === "/") url.pathname = provider.usualPath;
  const target = url.href.replace(/\/+$/, "") + desk.path;
  try {
    const response = await fetch(target, {
      headers: key === undefined ? {} : desk.headers(key),
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
    return answered(url.host, response.status, provider);
  } catch (error) {
    return fail(`${url.host} does not answer (${why(error)}).`, "Is this machine online, and is the address right?");
  }
}

function answered(host: string, status: number, { keys }: Pick<Provider, "keys">): Finding {
  if (status >= 200 && status < 300) return ok(`${host} answers and takes the key.`);
  if (status === 401 || status === 403)
    return fail(`${host} refuses the key (${status}).`, `Set a valid one: ${keys.join(" or ")}`);
  return warn(`${host} answers with ${status}: it is there, and more cannot be said.`);
}

function why(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return `not within ${patienceMs / 1_000} seconds`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error
    ? "code" in cause && typeof cause.code === "string"
      ? cause.code
      : cause.name
    : "it failed";
}

/** A key goes nowhere where it could be read on the way. */
function isSafe(address: string): boolean {
  const url = new URL(address);
  return (
    url.username === "" &&
    url.password === "" &&
    (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(address)))
  );
}

function firstOf(names: readonly string[], env: Io["env"]): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
}
