import { findAddress, type Provider, providerNames, providers } from "@sheepdog/agent";
import { findModelOf, findProvider } from "../../compose/provider/find-provider.ts";
import { type FoundProvider, keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import { nearestName } from "../../config/describe-value.ts";
import type { Io } from "../../io.ts";
import { type Answers, defaultMonthlyCents } from "./answers.ts";
import type { Asker, ReadAnswer } from "./asker.ts";
import { unlistedModelNote } from "./near-models.ts";
import { findPriceStatus } from "./price-status.ts";

/** The flags that name a model. */
export interface ModelFlags {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
}

/** The values for the file, or a sentence about the problem. */
export type ChosenAnswers =
  | { readonly ok: true; readonly answers: Answers }
  | { readonly ok: false; readonly problem: string };

const modelName = /^[\w./:@+-]{1,200}$/;

/** Uses the flags, and for the rest what is found in the environment. */
export async function findAnswers(flags: ModelFlags, env: Io["env"]): Promise<ChosenAnswers> {
  const { provider, model } = flags;
  const problem = findProblem(flags);
  if (problem !== undefined) return { ok: false, problem };
  const found = provider === undefined ? await findProvider(env) : await findModelOf(provider, env);
  const providerName = provider ?? found?.provider;
  if (providerName === undefined)
    return model === undefined
      ? answersWith(undefined)
      : { ok: false, problem: "--model needs a provider: add --provider <name>" };
  const modelId = model ?? found?.modelId;
  if (modelId === undefined)
    return { ok: false, problem: `--provider ${providerName} has no default model: add --model <id>` };
  const baseUrl = flags.baseUrl ?? found?.baseUrl ?? addressInEnvironment(providerName, env);
  if (baseUrl === undefined && needsAddress(providerName))
    return { ok: false, problem: `--provider ${providerName} needs the address of its server: add --base-url <url>` };
  const addressProblem = baseUrl === undefined ? undefined : baseUrlProblem(providerName, baseUrl);
  if (addressProblem !== undefined) return { ok: false, problem: addressProblem };
  return answersWith({ provider: providerName, modelId, ...(baseUrl === undefined ? {} : { baseUrl }) });
}

/** Asks for everything that the flags do not set; undefined at the end of the input. */
export async function askForAnswers(flags: ModelFlags, env: Io["env"], ask: Asker): Promise<ChosenAnswers | undefined> {
  const problem = findProblem(flags);
  if (problem !== undefined) return { ok: false, problem };
  const detected = await findProvider(env);
  const provider =
    flags.provider ??
    (await ask({
      text: `Which provider? ${providerMenu(env, detected)}`,
      defaultAnswer: detected?.provider ?? "anthropic",
      read: readProvider,
    }));
  if (provider === undefined) return undefined;
  const found = detected?.provider === provider ? detected : await findModelOf(provider, env);
  const addressProblem = flags.baseUrl === undefined ? undefined : baseUrlProblem(provider, flags.baseUrl);
  if (addressProblem !== undefined) return { ok: false, problem: addressProblem };
  const needsAnswer = needsAddress(provider) && flags.baseUrl === undefined;
  const baseUrl = needsAnswer ? await askForAddress(provider, env, ask) : (flags.baseUrl ?? found?.baseUrl);
  if (needsAnswer && baseUrl === undefined) return undefined;
  const namedModel =
    flags.model ?? (await ask({ text: "Which model?", defaultAnswer: found?.modelId ?? "", read: readModel }));
  if (namedModel === undefined) return undefined;
  const modelId = await confirmModel({ provider, modelId: namedModel }, ask);
  if (modelId === undefined) return undefined;
  const model = { provider, modelId, ...(baseUrl === undefined ? {} : { baseUrl }) };
  const monthlyCents = await ask({
    text: "Budget of all runs per month, in dollars? 0: no limit.",
    defaultAnswer: String(defaultMonthlyCents / 100),
    read: readCents,
  });
  if (monthlyCents === undefined) return undefined;
  if (monthlyCents === 0 || (await findPriceStatus(model)) !== "unknown")
    return { ok: true, answers: { model, monthlyCents } };
  const price = await askForPrice(modelId, ask);
  if (price === undefined) return undefined;
  return { ok: true, answers: { model, monthlyCents, ...(price === "unknown" ? {} : { price }) } };
}

/** Where LiteLLM, a common server of this kind, listens. */
const EXAMPLE_ADDRESS = "http://127.0.0.1:4000/v1";

function askForAddress(provider: string, env: Io["env"], ask: Asker): Promise<string | undefined> {
  return ask({
    text: "Which address (base URL) has its server? It usually ends with /v1.",
    defaultAnswer: addressInEnvironment(provider, env) ?? EXAMPLE_ADDRESS,
    read(answer) {
      const why = baseUrlProblem(provider, answer);
      return why === undefined ? { ok: true, value: answer } : { ok: false, why };
    },
  });
}

/** Why an address cannot be used; undefined if it can. */
function baseUrlProblem(provider: string, baseUrl: string): string | undefined {
  try {
    findAddress({ provider, baseUrl }, {});
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a provider is a kind of server without an address of its own. */
function needsAddress(name: string): boolean {
  return allProviders[name]?.baseUrl === undefined;
}

/** The address of such a server in the environment. Addresses of other providers stay in the environment. */
function addressInEnvironment(name: string, env: Io["env"]): string | undefined {
  if (!needsAddress(name)) return undefined;
  return allProviders[name]?.addresses.map((variable) => env[variable]?.trim() || undefined).find(Boolean);
}

const allProviders: Readonly<Record<string, Provider>> = providers;

/** Asks again for a name that the provider does not list. An empty line keeps it. */
async function confirmModel(model: NonNullable<Answers["model"]>, ask: Asker): Promise<string | undefined> {
  const note = await unlistedModelNote(model);
  if (note === undefined) return model.modelId;
  return ask({ text: `${note} Which model?`, defaultAnswer: model.modelId, read: readModel });
}

/** Asks for the price of a model without a listed one; `unknown` if the user does not know it either. */
async function askForPrice(
  modelId: string,
  ask: Asker,
): Promise<NonNullable<Answers["price"]> | "unknown" | undefined> {
  const input = await ask({
    text: `The price of ${modelId} is not listed. Dollars per million input tokens?`,
    defaultAnswer: "unknown",
    read: readPrice,
  });
  if (input === undefined || input === "unknown") return input;
  const output = await ask({
    text: "Dollars per million output tokens?",
    defaultAnswer: "unknown",
    read: readPrice,
  });
  if (output === undefined || output === "unknown") return output;
  return { input, output };
}

function readPrice(text: string): ReadAnswer<number | "unknown"> {
  return text === "unknown" ? { ok: true, value: text } : readCents(text);
}

function answersWith(model: Answers["model"]): ChosenAnswers {
  return { ok: true, answers: { ...(model === undefined ? {} : { model }), monthlyCents: defaultMonthlyCents } };
}

function findProblem({ provider, model }: ModelFlags): string | undefined {
  const readName = provider === undefined ? undefined : readProvider(provider);
  if (readName?.ok === false) return `--provider: ${readName.why}`;
  const readId = model === undefined ? undefined : readModel(model);
  return readId?.ok === false ? `--model: ${readId.why}` : undefined;
}

/** The providers to choose from. Those that can be used at once are marked. */
function providerMenu(env: Io["env"], found: FoundProvider | undefined): string {
  const withKeys = knownProviders.map(
    (known) => `${known.provider}${keyVariable(known, env) === undefined ? "" : " (key is set)"}`,
  );
  const ollama = found?.provider === "ollama" ? "ollama (runs here)" : "ollama";
  return [...withKeys, ollama, "openai-compatible (another server)"].join(", ");
}

function readProvider(name: string): ReadAnswer<string> {
  if (providerNames.includes(name)) return { ok: true, value: name };
  return { ok: false, why: `there is no provider "${name}"; ${nearestName(name, providerNames)}` };
}

function readModel(id: string): ReadAnswer<string> {
  return modelName.test(id)
    ? { ok: true, value: id }
    : { ok: false, why: "this is not the name of a model; use letters, digits and . / : @ + - _" };
}

function readCents(text: string): ReadAnswer<number> {
  const dollars = Number(text.replace(/^\$/, ""));
  const cents = Math.round(dollars * 100);
  if (
    text.trim() === "" ||
    !Number.isFinite(dollars) ||
    dollars < 0 ||
    dollars > 1_000_000 ||
    (dollars > 0 && cents === 0)
  )
    return { ok: false, why: "this is not an amount; write it as 20 or 7.50" };
  return { ok: true, value: cents };
}
