import { type Provider, providers } from "@sheepdog/agent";
import { isLoopback } from "../../../compose/provider/find-ollama.ts";
import { findProvider } from "../../../compose/provider/find-provider.ts";
import type { Io } from "../../../io.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** The endpoint that lists a provider's models, and the headers with the key. */
interface ModelsEndpoint {
  readonly path: string;
  headers(key: string): Record<string, string>;
}

const defaultEndpoint: ModelsEndpoint = { path: "/models", headers: (key) => ({ authorization: `Bearer ${key}` }) };

const endpoints: Readonly<Record<string, ModelsEndpoint>> = {
  anthropic: { path: "/models", headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }) },
  google: { path: "/models", headers: (key) => ({ "x-goog-api-key": key }) },
  openrouter: { ...defaultEndpoint, path: "/key" }, // its list of models needs no key
};

const timeoutMs = 3_000;

/** Checks whether the provider answers and accepts the key, if the user asks for it. */
export const providerCheck: Check = {
  name: "provider",
  async run(context) {
    if (!context.isOnline) return [ok("The provider was not asked. To ask it: sheepdog doctor --online")];
    const { model, security } = await context.config();
    const { env } = context.io;
    const found = model.provider === undefined ? await findProvider(env, context.fetch) : undefined;
    const name = model.provider ?? found?.provider;
    const provider = name === undefined ? undefined : (providers as Readonly<Record<string, Provider>>)[name];
    if (name === undefined || provider === undefined) return [warn("There is no provider to ask.")];
    const address = model.base_url ?? found?.baseUrl ?? firstValue(provider.addresses, env) ?? provider.baseUrl;
    if (address === undefined || !URL.canParse(address))
      return [fail(`The address of ${name} is unknown.`, "Set model.base_url.")];
    if (!isSafe(address, security.allow_plain_http))
      return [
        warn(
          `${new URL(address).host} was not asked: its address is plain http or contains a password.`,
          "Use https, or set security.allow_plain_http=true.",
        ),
      ];
    return [
      await askProvider(provider, address, {
        endpoint: endpoints[name] ?? defaultEndpoint,
        key: firstValue(provider.keys, env),
        fetch: context.fetch,
      }),
    ];
  },
};

interface Request {
  readonly endpoint: ModelsEndpoint;
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

async function askProvider(provider: Provider, address: string, { endpoint, key, fetch }: Request): Promise<Finding> {
  const url = new URL(address);
  if (url.pathname === "/") url.pathname = provider.usualPath;
  const target = url.href.replace(/\/+$/, "") + endpoint.path;
  try {
    const response = await fetch(target, {
      headers: key === undefined ? {} : endpoint.headers(key),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return answerFinding(url.host, response.status, { keys: provider.keys, hasKey: key !== undefined });
  } catch (error) {
    return fail(
      `${url.host} does not answer (${describeFailure(error)}).`,
      "Check the network and the address (model.base_url).",
    );
  }
}

function answerFinding(
  host: string,
  status: number,
  { keys, hasKey }: Pick<Provider, "keys"> & { readonly hasKey: boolean },
): Finding {
  if (status >= 200 && status < 300) return ok(`${host} answers${hasKey ? " and accepts the key" : ""}.`);
  if (status === 401 || status === 403)
    return fail(`${host} refuses the key (${status}).`, `Set a valid key: ${keys.join(" or ")}`);
  return warn(`${host} answers with status ${status}, so the key could not be checked.`);
}

function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return `no answer within ${timeoutMs / 1_000} seconds`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "it failed";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}

/** A key must not be sent over a connection that others can read. */
function isSafe(address: string, isPlainHttpAllowed: boolean): boolean {
  const url = new URL(address);
  const isHttpSafe = isPlainHttpAllowed || isLoopback(address);
  return (
    url.username === "" &&
    url.password === "" &&
    (url.protocol === "https:" || (url.protocol === "http:" && isHttpSafe))
  );
}

function firstValue(names: readonly string[], env: Io["env"]): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
}
