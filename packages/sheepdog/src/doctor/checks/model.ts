import type { Model } from "@sheepdog/agent";
import { createPrices, type PricedModel, type PriceOverrides, type Prices } from "@sheepdog/records";
import { chooseModel } from "../../compose/choose-model.ts";
import { contextSize } from "../../compose/context-size.ts";
import { isLoopback, ollamaAddress } from "../../compose/provider/find-ollama.ts";
import { keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import type { Config } from "../../config/schema.ts";
import type { Io } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Finds the model of the next run, its price and its context window. Asks only an Ollama on this machine. */
export const modelCheck: Check = {
  name: "model",
  async run(context) {
    const [config, { env }] = [await context.config(), context.io];
    if (!context.isOnline && isRemoteOllama(config, env))
      return [
        warn(
          "No model is configured. The environment names an Ollama on another machine, which was not asked.",
          "sheepdog doctor --online",
        ),
      ];
    const chosen = await chooseModel(config, env);
    if (!chosen.ok && chosen.isModelMissing)
      return [warn(`${chosen.problems.join(" ")} The commands demo and analyze need none.`, modelHint())];
    if (!chosen.ok)
      return chosen.problems.map((problem) =>
        fail(problem, "See where each value is set: sheepdog config show --origin"),
      );
    const prices = await loadPrices(config);
    const [model] = chosen.models;
    return [
      ok(`${chosen.name}, ${config.model.provider === undefined ? "found by the environment" : "as configured"}.`),
      ...chosen.addresses.map(({ name, address, isFallback }) =>
        ok(isFallback ? `Requests for the fallback model ${name} go to ${address}` : `Requests go to ${address}`),
      ),
      ...chosen.notes.map((note) => warn(note)),
      ...(typeof prices === "string"
        ? [fail(prices, "Correct it in [budget.pricing_overrides].")]
        : modelFindings(model, prices, { config, at: context.now() })),
    ];
  },
};

function modelFindings(
  { modelId, provider }: Model,
  prices: Prices,
  { config, at }: { readonly config: Config; readonly at: number },
): readonly Finding[] {
  const model: PricedModel = { model: modelId, provider, at };
  return [priceFinding(prices, model, config), windowFinding(prices.contextWindow(model), config)];
}

/** Whether the model would be searched at an Ollama on another machine: no provider is configured and no key is set. */
function isRemoteOllama({ model }: Config, env: Io["env"]): boolean {
  const isOllama = model.provider === "ollama" && model.model_id === undefined;
  if (
    !isOllama &&
    (model.provider !== undefined || knownProviders.some((known) => keyVariable(known, env) !== undefined))
  )
    return false;
  const address = ollamaAddress(env);
  return address !== undefined && !isLoopback(address);
}

function modelHint(): string {
  const keys = knownProviders.map(({ usualKey }) => usualKey).join(", ");
  return `Set a key (${keys}), start Ollama, or run: sheepdog init`;
}

async function loadPrices({ budget }: Config): Promise<Prices | string> {
  const overrides = budget.pricing_overrides as PriceOverrides; // the schema allows numbers only
  try {
    return await createPrices({ overrides });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function priceFinding(prices: Prices, model: PricedModel, { budget }: Config): Finding {
  const usdPerMillion = (thousandTokens: { readonly input: number; readonly output: number }) => {
    const nanoUsd = prices.price({ ...model, usage: { cacheRead: 0, cacheWrite: 0, ...thousandTokens } });
    return nanoUsd === null ? null : nanoUsd / 1_000_000;
  };
  const inputUsd = usdPerMillion({ input: 1_000, output: 0 });
  const outputUsd = usdPerMillion({ input: 0, output: 1_000 });
  if (inputUsd !== null && outputUsd !== null)
    return ok(`Its price per million tokens is ${dollars(inputUsd)} (input) and ${dollars(outputUsd)} (output).`);
  const hasBudget = [
    budget.monthly_limit_cents,
    budget.per_day_limit_cents,
    budget.per_session_limit_cents,
    budget.per_run_limit_cents,
  ].some((cents) => cents > 0);
  const fix = "Set the price in [budget.pricing_overrides], or limit tokens with budget.per_run_limit_tokens.";
  if (hasBudget && budget.unpriced === "refuse-under-limit")
    return fail("Its price is unknown, but a budget is set: every run would be refused.", fix);
  return warn("Its price is unknown: costs cannot be counted, and no budget can be enforced.", fix);
}

function windowFinding(window: number | undefined, { agent }: Config): Finding {
  const configured = (agent.max_context_tokens ?? contextSize(agent, window)).toLocaleString("en-US");
  if (agent.max_context_tokens === 0)
    return warn("The context is not managed (agent.max_context_tokens is 0): a long conversation ends with an error.");
  if (window === undefined)
    return ok(`Its context window is unknown; a request has at most ${configured} tokens (agent.max_context_tokens).`);
  const size = window.toLocaleString("en-US");
  return window < (agent.max_context_tokens ?? 0)
    ? warn(
        `Its context window of ${size} tokens is smaller than agent.max_context_tokens (${configured}) and applies ` +
          "instead.",
        `sheepdog config set agent.max_context_tokens ${window}`,
      )
    : ok(`A request has at most ${configured} of its ${size} context tokens (agent.max_context_tokens).`);
}
