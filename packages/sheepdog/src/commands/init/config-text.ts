import type { Answers } from "./answers.ts";
import type { PriceStatus } from "./price-status.ts";

/** The user's file: short, with what most people want to change, and comments that say what it does. */
export function userConfigText({ model, monthlyCents }: Answers, price: PriceStatus): string {
  return `# Sheepdog's configuration. All keys with their values: sheepdog config show --origin
# Keys of providers stay in the environment (ANTHROPIC_API_KEY and the like), never in here.

${modelText(model)}
[budget]
${moneyText(monthlyCents, price)}${price === "free" && model !== undefined ? freeText(model) : ""}
[agent]
# After how many turns, and seconds, a run ends.
# max_turns = 25
# max_duration_secs = 600
# The most that is sent with one request, in tokens. More costs more.
# max_context_tokens = 32000

[agent.guardian]
# "guide" may refuse calls and end runs, "advise" refuses none, "observe" only notes.
mode = "guide"
`;
}

/** A project's file: it can only make things stricter until it is trusted. */
export function projectConfigText({ model }: Answers): string {
  return `# What holds for agents in this project, for everybody who works on it.
# Until you trust this file (sheepdog config trust), it can only make things stricter: the rest of it is left out.

[agent]
max_turns = 25
max_duration_secs = 600

[budget]
# The most one run may cost, in cents.
# per_run_limit_cents = 100

[security]
# Tools that are always asked about, e.g. ["bash", "write"].
pause_before = []
${model === undefined ? "" : `\n# Needs to be trusted.\n${modelText(model)}`}`;
}

function modelText(model: Answers["model"]): string {
  if (model === undefined)
    return `# No model was found. Set a key in the environment, or say here whose model to ask:
# [model]
# provider = "anthropic"
# model_id = "claude-sonnet-5"
`;
  const { provider, modelId, baseUrl } = model;
  return `[model]
provider = ${text(provider)}
model_id = ${text(modelId)}
${baseUrl === undefined ? "" : `base_url = ${text(baseUrl)}\n`}`;
}

function moneyText(monthlyCents: number, price: PriceStatus): string {
  if (price === "unknown")
    return `# Nobody knows the price of this model, so no limit of money could hold. Tokens can be limited:
per_run_limit_tokens = 1000000
# Prices can be set, in cents for a million tokens: sheepdog config schema says how (budget.pricing_overrides).
`;
  return `# The most all runs may cost in a month (UTC), in cents, and when to warn. 0: no limit.
monthly_limit_cents = ${monthlyCents}
warning_threshold_cents = ${Math.floor(monthlyCents * 0.8)}
# The most one run may cost, in cents.
# per_run_limit_cents = 200
`;
}

function freeText({ provider, modelId }: NonNullable<Answers["model"]>): string {
  return `
[budget.pricing_overrides]
# It runs on this machine and costs nothing.
${text(`${provider}/${modelId}`)} = { input = 0, output = 0 }
`;
}

/** As TOML writes it: like JSON, for texts without control characters. */
function text(value: string): string {
  return JSON.stringify(value);
}
