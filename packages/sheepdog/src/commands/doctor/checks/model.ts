import type { Model } from "@sheepdog/agent";
import { createPrices, type Prices } from "@sheepdog/records";
import { chooseModel } from "../../../compose/choose-model.ts";
import { isLoopback, ollamaAddress } from "../../../compose/provider/find-ollama.ts";
import { keyVariable, knownProviders } from "../../../compose/provider/known-providers.ts";
import type { Config } from "../../../config/schema.ts";
import type { Io } from "../../../io.ts";
import { dollars } from "../../../render/terminal/amounts.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Which model would be asked, what it costs, and how much it can read at once. Nobody is asked but an Ollama on this machine. */
export const modelCheck: Check = {
  name: "model",
  async run(world) {
    const [config, { env }] = [await world.config(), world.io];
    if (!world.isOnline && isElsewhere(config, env))
      return [
        warn(
          "No model is configured, and the environment names an Ollama on another machine, which was not asked.",
          "sheepdog doctor --online",
        ),
      ];
    const chosen = await chooseModel(config, env);
    if (!chosen.ok && chosen.isModelMissing)
      return [warn(`${chosen.problems.join(" ")} The commands demo and analyze need none.`, howToGetOne())];
    if (!chosen.ok)
      return chosen.problems.map((problem) =>
        fail(problem, "What is configured, and where: sheepdog config show --origin"),
      );
    const prices = await pricesFor(config);
    const [model] = chosen.models;
    return [
      ok(`${chosen.name}, ${config.model.provider === undefined ? "found by the environment" : "as configured"}.`),
      ...chosen.notes.map((note) => warn(note)),
      ...(typeof prices === "string"
        ? [fail(prices, "Correct it under [budget.pricing_overrides].")]
        : of(model, prices, config, world.now())),
    ];
  },
};

function of({ modelId: model, provider }: Model, prices: Prices, config: Config, at: number): readonly Finding[] {
  return [
    priceFinding(prices, { model, provider, at }, config),
    windowFinding(prices.contextWindow({ model, provider, at }), config),
  ];
}

/** Where nothing else is said and there is no key, a model would be looked for at an Ollama. */
function isElsewhere({ model }: Config, env: Io["env"]): boolean {
  const isOllama = model.provider === "ollama" && model.model_id === undefined;
  if (
    !isOllama &&
    (model.provider !== undefined || knownProviders.some((known) => keyVariable(known, env) !== undefined))
  )
    return false;
  const address = ollamaAddress(env);
  return address !== undefined && !isLoopback(address);
}

function howToGetOne(): string {
  return `Set a key (${knownProviders.map(({ usualKey }) => usualKey).join(", ")}), start Ollama, or run: sheepdog init`;
}

async function pricesFor({ budget }: Config): Promise<Prices | string> {
  try {
    return await createPrices({
      overrides: budget.pricing_overrides as NonNullable<Parameters<typeof createPrices>[0]>["overrides"] & object,
    }); // what is missing in it, it says
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const million = 1_000_000;

function priceFinding(prices: Prices, model: Parameters<Prices["contextWindow"]>[0], { budget }: Config): Finding {
  const usd = (usage: { readonly input: number; readonly output: number }) =>
    prices.price({ ...model, usage: { cacheRead: 0, cacheWrite: 0, ...usage } });
  const [input, output] = [usd({ input: 1_000, output: 0 }), usd({ input: 0, output: 1_000 })].map((nano) =>
    nano === null ? null : nano / million,
  ); // per thousand tokens and nano-dollar: dollars per million
  if (input != null && output != null)
    return ok(`Its price is known: ${dollars(input)} in and ${dollars(output)} out for a million tokens.`);
  const hasLimits = [
    budget.monthly_limit_cents,
    budget.per_day_limit_cents,
    budget.per_session_limit_cents,
    budget.per_run_limit_cents,
  ].some((cents) => cents > 0);
  const fix = "Set it under [budget.pricing_overrides], or limit tokens: budget.per_run_limit_tokens.";
  if (hasLimits && budget.unpriced === "refuse-under-limit")
    return fail("Its price is not known, and there is a limit of money: runs would be refused.", fix);
  return warn("Its price is not known: what it costs cannot be told, and no limit of money can hold.", fix);
}

function windowFinding(window: number | undefined, { agent }: Config): Finding {
  const most = agent.max_context_tokens.toLocaleString("en-US");
  if (window === undefined)
    return ok(`How much it reads at once is not listed; ${most} tokens are sent at most (agent.max_context_tokens).`);
  const size = window.toLocaleString("en-US");
  return window < agent.max_context_tokens
    ? warn(
        `It reads ${size} tokens at once, less than agent.max_context_tokens (${most}): ${size} are sent at most.`,
        `sheepdog config set agent.max_context_tokens ${window}`,
      )
    : ok(`${most} of the ${size} tokens that it reads at once are sent at most (agent.max_context_tokens).`);
}
