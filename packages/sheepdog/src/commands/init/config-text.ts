import type { Answers } from "./answers.ts";
import type { PriceStatus } from "./price-status.ts";

/** The limit of a run with a model whose price is unknown. */
export const unpricedRunTokens = 1_000_000;

/** The user's file: the keys that most users change, with comments. */
export function userConfigText(
  { model, isPlainHttpAllowed, monthlyCents, price }: Answers,
  status: PriceStatus,
): string {
  const priceStatus = price === undefined ? status : "known";
  return `# Sheepdog's configuration. To see all keys and values: sheepdog config show --origin
# Keep the keys of providers in the environment (such as ANTHROPIC_API_KEY), never in this file.

${modelText(model)}
[budget]
${budgetText(monthlyCents, priceStatus)}${model === undefined ? "" : priceText(model, price, priceStatus)}
[agent]
# Maximum turns and seconds of a run. 0: no limit. For a night: --max-turns 0 --max-time 0 --max-cost 5
# max_turns = 25
# max_duration_secs = 600
# Maximum size of a request, in tokens. Default: the model's own window. More tokens cost more.
# max_context_tokens = 64000

[agent.guardian]
# "guide" may refuse calls and end runs, "advise" never refuses a call, "observe" only records.
mode = "guide"
${isPlainHttpAllowed === true ? plainHttpText : ""}`;
}

const plainHttpText = `
[security]
# The address of the model is plain http: others on the network can read the key and the conversation.
allow_plain_http = true
`;

/** The project's file. Until the user trusts it, it can only make limits stricter. */
export function projectConfigText({ model }: Answers): string {
  return `# Limits for agents in this project, for all its users.
# Until you trust this file (sheepdog config trust), it can only make limits stricter; other values are ignored.

[agent]
max_turns = 25
max_duration_secs = 600

[budget]
# Budget of one run, in cents.
# per_run_limit_cents = 100

[security]
# Tools that always need approval, e.g. ["bash", "write"].
pause_before = []
${model === undefined ? "" : `\n# Ignored until you trust this file.\n${modelText(model)}`}`;
}

function modelText(model: Answers["model"]): string {
  if (model === undefined)
    return `# No model was found. Set a key in the environment, or name a model here:
# [model]
# provider = "anthropic"
# model_id = "claude-sonnet-5"
`;
  const { provider, modelId, baseUrl } = model;
  return `[model]
provider = ${tomlText(provider)}
model_id = ${tomlText(modelId)}
${baseUrl === undefined ? "" : `base_url = ${tomlText(baseUrl)}\n`}`;
}

function budgetText(monthlyCents: number, price: PriceStatus): string {
  const unpriced = `# The price of this model is unknown: the budget counts only models with a known price.
# Runs with this model have a limit of tokens instead, until you set its price below.
unpriced = "count-tokens"
per_run_limit_tokens = ${unpricedRunTokens}
`;
  return `# Budget of all runs per month (UTC) in cents, and when to warn. 0: no limit.
monthly_limit_cents = ${monthlyCents}
warning_threshold_cents = ${Math.floor(monthlyCents * 0.8)}
${price === "unknown" ? unpriced : ""}# Budget of one run, in cents.
# per_run_limit_cents = 200
`;
}

function priceText(
  { provider, modelId }: NonNullable<Answers["model"]>,
  price: Answers["price"],
  status: PriceStatus,
): string {
  const name = tomlText(`${provider}/${modelId}`);
  const table = "\n[budget.pricing_overrides]\n";
  if (price !== undefined)
    return `${table}# In cents per million tokens.\n${name} = { input = ${price.input}, output = ${price.output} }\n`;
  if (status === "free")
    return `${table}# This model runs on this machine and is free.\n${name} = { input = 0, output = 0 }\n`;
  if (status === "unknown")
    return `${table}# In cents per million tokens.\n# ${name} = { input = 300, output = 1500 }\n`;
  return "";
}

/** A text as TOML: the same as JSON for text without control characters. */
function tomlText(value: string): string {
  return JSON.stringify(value);
}
