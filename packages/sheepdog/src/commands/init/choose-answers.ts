import { providerNames } from "@sheepdog/agent";
import { findModelOf, findProvider } from "../../compose/provider/find-provider.ts";
import { type FoundProvider, keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import { nearestName } from "../../config/describe-value.ts";
import type { Io } from "../../io.ts";
import { type Answers, defaultMonthlyCents } from "./answers.ts";
import type { Asker, ReadAnswer } from "./asker.ts";
import { type AddressContext, askForAddress, type ChosenAddress, chooseAddress } from "./choose-address.ts";
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
export async function findAnswers(flags: ModelFlags, context: AddressContext): Promise<ChosenAnswers> {
  const { provider, model, baseUrl } = flags;
  const { env } = context;
  const problem = findProblem(flags);
  if (problem !== undefined) return { ok: false, problem };
  const found = provider === undefined ? await findProvider(env) : await findModelOf(provider, env);
  const providerName = provider ?? found?.provider;
  if (providerName === undefined) {
    if (model === undefined && baseUrl === undefined)
      return { ok: true, answers: { monthlyCents: defaultMonthlyCents } };
    const flag = model === undefined ? "--base-url" : "--model";
    return { ok: false, problem: `${flag} needs a provider: add --provider <name>` };
  }
  const modelId = model ?? found?.modelId;
  if (modelId === undefined)
    return { ok: false, problem: `--provider ${providerName} has no default model: add --model <id>` };
  const address = chooseAddress(providerName, baseUrl ?? found?.baseUrl, context);
  if (!address.ok) return address;
  return {
    ok: true,
    answers: { ...modelAnswers({ provider: providerName, modelId }, address), monthlyCents: defaultMonthlyCents },
  };
}

/** Asks for everything that the flags do not set; undefined at the end of the input. */
export async function askForAnswers(
  flags: ModelFlags,
  context: AddressContext,
  ask: Asker,
): Promise<ChosenAnswers | undefined> {
  const { env } = context;
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
  const address = await askForAddress(provider, flags.baseUrl ?? found?.baseUrl, { ...context, ask });
  if (address?.ok !== true) return address;
  const namedModel =
    flags.model ?? (await ask({ text: "Which model?", defaultAnswer: found?.modelId ?? "", read: readModel }));
  if (namedModel === undefined) return undefined;
  const modelId = await confirmModel({ provider, modelId: namedModel }, ask);
  if (modelId === undefined) return undefined;
  const chosen = modelAnswers({ provider, modelId }, address);
  const monthlyCents = await ask({
    text: "Budget of all runs per month, in dollars? 0: no limit.",
    defaultAnswer: String(defaultMonthlyCents / 100),
    read: readCents,
  });
  if (monthlyCents === undefined) return undefined;
  if (monthlyCents === 0 || (await findPriceStatus(chosen.model)) !== "unknown")
    return { ok: true, answers: { ...chosen, monthlyCents } };
  const price = await askForPrice(modelId, ask);
  if (price === undefined) return undefined;
  return { ok: true, answers: { ...chosen, monthlyCents, ...(price === "unknown" ? {} : { price }) } };
}

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

function modelAnswers(
  model: NonNullable<Answers["model"]>,
  { baseUrl, isPlainHttp }: Extract<ChosenAddress, { readonly ok: true }>,
): Pick<Answers, "model" | "isPlainHttpAllowed"> {
  return {
    model: baseUrl === undefined ? model : { ...model, baseUrl },
    ...(isPlainHttp ? { isPlainHttpAllowed: true } : {}),
  };
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
