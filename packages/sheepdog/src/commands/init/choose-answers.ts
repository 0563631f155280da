import { providerNames } from "@sheepdog/agent";
import { type FoundProvider, findModelOf, findProvider } from "../../compose/provider/find-provider.ts";
import { keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import { nearestName } from "../../config/describe-value.ts";
import type { Io } from "../../io.ts";
import { type Answers, usualMonthlyCents } from "./answers.ts";
import type { Asker, Read } from "./asker.ts";

/** What was named on the command line. */
export interface Named {
  readonly provider?: string;
  readonly model?: string;
}

/** What goes into the file, or a sentence about why that cannot be. */
export type Chosen =
  | { readonly ok: true; readonly answers: Answers }
  | { readonly ok: false; readonly problem: string };

const aModel = /^[\w./:@+-]{1,200}$/;

/** Takes what was named, and for the rest what is found. */
export async function takeFound({ provider, model }: Named, env: Io["env"]): Promise<Chosen> {
  const problem = problemWith({
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  });
  if (problem !== undefined) return { ok: false, problem };
  const found = provider === undefined ? await findProvider(env) : await findModelOf(provider, env);
  const whose = provider ?? found?.provider;
  if (whose === undefined)
    return model === undefined
      ? chosen(undefined)
      : { ok: false, problem: "--model names a model, and nothing says whose: give --provider, too" };
  const modelId = model ?? found?.modelId;
  if (modelId === undefined) return { ok: false, problem: `--provider ${whose}: say which of its models with --model` };
  return chosen({ provider: whose, modelId, ...(found?.baseUrl === undefined ? {} : { baseUrl: found.baseUrl }) });
}

/** Asks for what was not named; undefined where nobody answers any more. */
export async function askForAnswers(named: Named, env: Io["env"], ask: Asker): Promise<Chosen | undefined> {
  const problem = problemWith(named);
  if (problem !== undefined) return { ok: false, problem };
  const first = await findProvider(env);
  const provider =
    named.provider ??
    (await ask({
      text: `Whose model? ${menu(env, first)}`,
      usual: first?.provider ?? "anthropic",
      read: readProvider,
    }));
  if (provider === undefined) return undefined;
  const found = first?.provider === provider ? first : await findModelOf(provider, env);
  const modelId = named.model ?? (await ask({ text: "Which model?", usual: found?.modelId ?? "", read: readModel }));
  if (modelId === undefined) return undefined;
  const monthlyCents = await ask({
    text: "The most all runs may cost in a month, in dollars? 0: no limit.",
    usual: String(usualMonthlyCents / 100),
    read: readCents,
  });
  if (monthlyCents === undefined) return undefined;
  return {
    ok: true,
    answers: {
      model: { provider, modelId, ...(found?.baseUrl === undefined ? {} : { baseUrl: found.baseUrl }) },
      monthlyCents,
    },
  };
}

function chosen(model: Answers["model"]): Chosen {
  return { ok: true, answers: { ...(model === undefined ? {} : { model }), monthlyCents: usualMonthlyCents } };
}

function problemWith({ provider, model }: Named): string | undefined {
  const [whose, which] = [
    provider === undefined ? undefined : readProvider(provider),
    model === undefined ? undefined : readModel(model),
  ];
  if (whose?.ok === false) return `--provider: ${whose.why}`;
  return which?.ok === false ? `--model: ${which.why}` : undefined;
}

/** The providers that people choose between, those that can be used at once marked. */
function menu(env: Io["env"], found: FoundProvider | undefined): string {
  const known = knownProviders.map(
    (each) => `${each.provider}${keyVariable(each, env) === undefined ? "" : " (key is set)"}`,
  );
  return [...known, found?.provider === "ollama" ? "ollama (runs here)" : "ollama"].join(", ");
}

function readProvider(name: string): Read<string> {
  if (providerNames.includes(name)) return { ok: true, value: name };
  return { ok: false, why: `there is no provider "${name}"; ${nearestName(name, providerNames)}` };
}

function readModel(id: string): Read<string> {
  return aModel.test(id)
    ? { ok: true, value: id }
    : { ok: false, why: "that is no name of a model: letters, digits and . / : @ + - _" };
}

function readCents(text: string): Read<number> {
  const dollars = Number(text.replace(/^\$/, ""));
  const cents = Math.round(dollars * 100);
  if (
    text.trim() === "" ||
    !Number.isFinite(dollars) ||
    dollars < 0 ||
    dollars > 1_000_000 ||
    (dollars > 0 && cents === 0)
  )
    return { ok: false, why: "that is no amount: write it like 20 or 7.50" };
  return { ok: true, value: cents };
}
