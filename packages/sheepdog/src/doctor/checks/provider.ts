import { findAddress, type Provider, providers } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { findProvider } from "../../compose/provider/find-provider.ts";
import type { Io } from "../../io.ts";
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
    const baseUrl = model.base_url ?? found?.baseUrl;
    const spec = { provider: name, isPlainHttpAllowed: security.allow_plain_http };
    const safe = safeAddress(baseUrl === undefined ? spec : { ...spec, baseUrl }, env);
    if (!safe.ok) return [warn(`${name} was not asked. ${safe.problem}`)]; // the model check fails in this case
    return [
      await askProvider(provider, safe.address, {
        endpoint: endpoints[name] ?? defaultEndpoint,
        key: firstValue(provider.keys, env),
        fetch: context.fetch,
      }),
    ];
  },
};

type SafeAddress = { readonly ok: true; readonly address: string } | { readonly ok: false; readonly problem: string };

/** The address of the provider; a sentence if there is none, or the key must not be sent there. */
function safeAddress(spec: Parameters<typeof findAddress>[0], env: Io["env"]): SafeAddress {
  try {
    return { ok: true, address: findAddress(spec, env) };
  } catch (error) {
    return { ok: false, problem: redactSecrets(error instanceof Error ? error.message : String(error)) };
  }
}

interface Request {
  readonly endpoint: ModelsEndpoint;
  readonly key: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

async function askProvider(provider: Provider, address: string, { endpoint, key, fetch }: Request): Promise<Finding> {
  const { host } = new URL(address);
  try {
    const response = await fetch(address + endpoint.path, {
      headers: key === undefined ? {} : endpoint.headers(key),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return answerFinding(host, response.status, { keys: provider.keys, hasKey: key !== undefined });
  } catch (error) {
    return fail(
      `${host} does not answer (${describeFailure(error)}).`,
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

function firstValue(names: readonly string[], env: Io["env"]): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
}
