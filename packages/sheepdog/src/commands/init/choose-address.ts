import { findAddress, type Provider, providers } from "@sheepdog/agent";
import { withoutSecrets } from "../../compose/provider/shown-address.ts";
import type { Io } from "../../io.ts";
import type { Asker, ReadAnswer } from "./asker.ts";

/** The environment, and whether it or a file allows plain http to other machines. */
export interface AddressContext {
  readonly env: Io["env"];
  readonly isPlainHttpAllowed: boolean;
}

/** The address for the file, or a sentence about the problem. */
export type ChosenAddress =
  | {
      readonly ok: true;
      /** Undefined if the file needs none: the provider has its own, or it is in the environment. */
      readonly baseUrl?: string;
      /** The address is plain http to another machine, and the user allows that. */
      readonly isPlainHttp: boolean;
    }
  | { readonly ok: false; readonly problem: string };

/** Chooses the named address. Without one, a server of the user must have its address in the environment. */
export function chooseAddress(
  provider: string,
  namedUrl: string | undefined,
  { env, isPlainHttpAllowed }: AddressContext,
): ChosenAddress {
  const url = namedUrl ?? addressInEnvironment(provider, env);
  if (url === undefined)
    return needsAddress(provider)
      ? { ok: false, problem: `--provider ${provider} needs the address of its server: add --base-url <url>` }
      : { ok: true, isPlainHttp: false };
  const problem = addressProblem(provider, url, isPlainHttpAllowed);
  if (problem === undefined) return chosenAddress(provider, url, namedUrl);
  const hint = isPlainHttp(provider, url) ? ` To allow it: export ${allowVariable}=true` : "";
  return { ok: false, problem: `${problem}${hint}` };
}

/** Asks for the address of a server of the user, and before it allows plain http; undefined at the end of the input. */
export async function askForAddress(
  provider: string,
  namedUrl: string | undefined,
  { ask, ...context }: AddressContext & { readonly ask: Asker },
): Promise<ChosenAddress | undefined> {
  if (namedUrl === undefined && needsAddress(provider)) return askForMissingAddress(provider, { ask, ...context });
  const chosen = chooseAddress(provider, namedUrl, context);
  if (chosen.ok || namedUrl === undefined || !isPlainHttp(provider, namedUrl)) return chosen;
  const isAllowed = await askForPlainHttp(namedUrl, ask);
  if (isAllowed === undefined) return undefined;
  return isAllowed ? chosenAddress(provider, namedUrl, namedUrl) : chosen;
}

/** The environment variable with the address of a server of the user; undefined for other providers. */
export function addressVariable(provider: string, env: Io["env"]): string | undefined {
  if (!needsAddress(provider)) return undefined;
  return allProviders[provider]?.addresses.find((variable) => (env[variable] ?? "").trim() !== "");
}

const allowVariable = "SHEEPDOG_SECURITY__ALLOW_PLAIN_HTTP";

/** Where LiteLLM, a common server of this kind, listens. */
const EXAMPLE_ADDRESS = "http://127.0.0.1:4000/v1";

async function askForMissingAddress(
  provider: string,
  { env, isPlainHttpAllowed, ask }: AddressContext & { readonly ask: Asker },
): Promise<ChosenAddress | undefined> {
  const envUrl = usableAddress(provider, addressInEnvironment(provider, env));
  const defaultAnswer = envUrl === undefined ? EXAMPLE_ADDRESS : withoutSecrets(envUrl);
  for (;;) {
    const answer = await ask({
      text: "Which address (base URL) has its server? It usually ends with /v1.",
      defaultAnswer,
      read: (text): ReadAnswer<string> => readAddress(provider, text, defaultAnswer),
    });
    if (answer === undefined) return undefined;
    const isFromEnvironment = envUrl !== undefined && answer === defaultAnswer;
    const url = isFromEnvironment ? envUrl : answer;
    const isAllowed = isPlainHttpAllowed || !isPlainHttp(provider, url) || (await askForPlainHttp(url, ask));
    if (isAllowed === undefined) return undefined;
    if (isAllowed) return chosenAddress(provider, url, isFromEnvironment ? undefined : url);
  }
}

function readAddress(provider: string, text: string, defaultAnswer: string): ReadAnswer<string> {
  const why = text === defaultAnswer ? undefined : addressProblem(provider, text, true); // plain http is asked about
  return why === undefined ? { ok: true, value: text } : { ok: false, why };
}

function askForPlainHttp(url: string, ask: Asker): Promise<boolean | undefined> {
  return ask({
    text:
      `${new URL(url).host} is plain http to another machine, so others on the network can read the key and the ` +
      "conversation. Allow it (yes or no)?",
    defaultAnswer: "no",
    read: readYesOrNo,
  });
}

function readYesOrNo(text: string): ReadAnswer<boolean> {
  if (/^y(?:es)?$/i.test(text)) return { ok: true, value: true };
  return /^no?$/i.test(text) ? { ok: true, value: false } : { ok: false, why: "answer yes or no" };
}

function chosenAddress(provider: string, url: string, writtenUrl: string | undefined): ChosenAddress {
  const address = { ok: true, isPlainHttp: isPlainHttp(provider, url) } as const;
  return writtenUrl === undefined ? address : { ...address, baseUrl: writtenUrl };
}

/** Whether the only problem with an address is that it is plain http to another machine. */
function isPlainHttp(provider: string, url: string): boolean {
  return addressProblem(provider, url, false) !== undefined && addressProblem(provider, url, true) === undefined;
}

function usableAddress(provider: string, url: string | undefined): string | undefined {
  return url !== undefined && addressProblem(provider, url, true) === undefined ? url : undefined;
}

/** Why an address cannot be used; undefined if it can. */
function addressProblem(provider: string, baseUrl: string, isPlainHttpAllowed: boolean): string | undefined {
  try {
    findAddress({ provider, baseUrl, isPlainHttpAllowed }, {});
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a provider is a kind of server without an address of its own. */
function needsAddress(name: string): boolean {
  return allProviders[name]?.baseUrl === undefined;
}

/** The address of such a server in the environment, where it stays: it may contain a key. */
function addressInEnvironment(provider: string, env: Io["env"]): string | undefined {
  const variable = addressVariable(provider, env);
  return variable === undefined ? undefined : env[variable]?.trim();
}

const allProviders: Readonly<Record<string, Provider>> = providers;
