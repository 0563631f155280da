import type { Answers } from "./answers.ts";
import type { PriceStatus } from "./price-status.ts";

/** The user's file: the keys that most users change, with comments. */
export function userConfigText({ model, monthlyCents }: Answers, price: PriceStatus): string {
  return `# Sheepdog's configuration. To see all keys and values: sheepdog config show --origin
# Keep the keys of providers in the environment (such as ANTHROPIC_API_KEY), never in this file.

${modelText(model)}
[budget]
${budgetText(monthlyCents, price)}${price === "free" && model !== undefined ? freePriceText(model) : ""}
[agent]
# Maximum turns and seconds of a run.
# max_turns = 25
# max_duration_secs = 600
# Maximum size of a request, in tokens. More tokens cost more.
# max_context_tokens = 32000

[agent.guardian]
# "guide" may refuse calls and end runs, "advise" never refuses a call, "observe" only records.
mode = "guide"
`;
}

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
  if (price === "unknown")
    return `# The price of this model is unknown, so a budget cannot be enforced. Limit tokens instead:
per_run_limit_tokens = 1000000
# Or set its price in budget.pricing_overrides, in cents per million tokens (see: sheepdog config schema).
`;
  return `# Budget of all runs per month (UTC) in cents, and when to warn. 0: no limit.
monthly_limit_cents = ${monthlyCents}
warning_threshold_cents = ${Math.floor(monthlyCents * 0.8)}
# Budget of one run, in cents.
# per_run_limit_cents = 200
`;
}

function freePriceText({ provider, modelId }: NonNullable<Answers["model"]>): string {
  return `
[budget.pricing_overrides]
# This model runs on this machine and is free.
${tomlText(`${provider}/${modelId}`)} = { input = 0, output = 0 }
`;
}

/** A text as TOML: the same as JSON for text without control characters. */
function tomlText(value: string): string {
  return JSON.stringify(value);
}
