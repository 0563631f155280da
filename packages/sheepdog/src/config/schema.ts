import { detectorNames, type levels, secondOpinionModes, toolKinds } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { z } from "zod";
import { channelKeys } from "./channel-keys.ts";
import { configKey } from "./config-key.ts";
import { mcpKeys } from "./mcp-keys.ts";
import { openTelemetryKeys } from "./opentelemetry-keys.ts";
import { securityKeys } from "./security-keys.ts";

/** The longest time a timer can wait. */
export const MAX_SECS = 2_147_483;

/** More cents could not be counted exactly in nano-dollars. */
export const MAX_CENTS = 900_000_000;

const amount = z.int().min(1);
const count = z.int().min(0);
const secs = amount.max(MAX_SECS);
const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);
const cents = z.number().min(0).max(MAX_CENTS);
const price = z.number().min(0).max(100_000_000); // $1,000,000 per million tokens
const text = z.string().min(1);
const detector = z.enum(detectorNames);

const centsLimit = (description: string) => configKey(cents.default(0), "lower-limit", `${description} 0: no limit.`);

/**
 * The providers of `@sheepdog/agent`. Importing them would load that package with every command that reads the
 * configuration.
 */
export const providers = [
  "anthropic",
  "openai",
  "openai-chat",
  "google",
  "openai-compatible",
  "openrouter",
  "ollama",
  "lmstudio",
  "vllm",
] as const;
const provider = z.enum(providers);

const rungs = z.strictObject({
  suspect: z.number().positive().optional(),
  hint: z.number().positive().optional(),
  warn: z.number().positive().optional(),
  block: z.number().positive().optional(),
  halt: z.number().positive().optional(),
} satisfies Record<(typeof levels)[number] | "suspect", z.ZodType>);

const guardian = z.strictObject({
  enabled: configKey(
    z.boolean().default(true),
    "true",
    "Whether the detectors watch the run. Limits apply either way.",
  ),
  mode: configKey(
    z.enum(["guide", "advise", "observe"]).default("guide"),
    "nothing",
    "`guide` may refuse calls and end runs, `advise` never refuses a call, `observe` only records. A preset that " +
      "never refuses keeps that.",
  ),
  preset: configKey(
    z.enum(Object.keys(presets) as (keyof typeof presets)[]).default("default"),
    "nothing",
    "The policy to start from.",
  ),
  doom_loop_threshold: configKey(
    amount.min(2).default(3),
    "lower",
    "Number of equal calls after which the agent gets a hint; the later levels move with it. 3: the counts of the " +
      "preset.",
  ),
  stall_timeout_secs: configKey(
    count.max(MAX_SECS).default(120),
    "lower-limit",
    "Seconds without any output after which a run counts as stalled. 0: never.",
  ),
  token_budget_soft: configKey(
    percent.default(80),
    "lower-limit",
    "Share of the context, in percent, at which the agent gets a warning. 0: no warning.",
  ),
  token_budget_hard: configKey(
    percent.default(95),
    "lower-limit",
    "Share of the context, in percent, at which a run ends that cannot be compacted. 0: no limit.",
  ),
  second_opinion: configKey(
    z.enum(secondOpinionModes).default("before-force"),
    "nothing",
    "When a model is asked whether the agent is stuck: `before-force` before the first refusal and before the end of " +
      "a run, `always` also before a hint, `off` never. Similar calls are only refused if the model agrees. The " +
      "presets of other systems and `off` never ask.",
  ),
  second_opinion_model: configKey(
    text.optional(),
    "nothing",
    "The model that is asked, as `provider:model`. Default: the model of the run.",
  ),
  detectors: configKey(
    z.partialRecord(detector, z.union([z.literal("off"), rungs])).default({}),
    "nothing",
    'Counts at which a detector intervenes, such as `cycle = { hint = 4, halt = 9 }`, or `cycle = "off"`.',
  ),
  tools: configKey(
    z
      .record(
        text,
        z.strictObject({
          kind: z.enum(toolKinds).optional(),
          scale: z.number().positive().optional(),
          off: z.union([z.literal("all"), z.array(detector)]).optional(),
        }),
      )
      .default({}),
    "nothing",
    "Rules for tools whose name matches a glob: their `kind`, a `scale` for the counts of the detectors, and " +
      "detectors that are `off`.",
  ),
});

const judge = z.strictObject({
  every_turns: configKey(
    count.default(10),
    "lower-limit",
    "The model judges the goal of a run on its answer, and also after this many turns. 0: on its answer only.",
  ),
  max_cost_share: configKey(
    share.default(0.2),
    "lower",
    "Share of the cost of a run that the requests of the judge may have. 0: the model is never asked.",
  ),
  model: configKey(
    text.optional(),
    "nothing",
    "The model that judges goals, as `provider:model`. Default: the model of the run.",
  ),
});

const director = z.strictObject({
  max_parallel: configKey(amount.default(3), "lower", "How many nodes of a plan run at the same time."),
  max_nodes: configKey(amount.default(50), "lower", "How many nodes a plan may have."),
  max_evolution_cycles: configKey(count.default(3), "lower", "How often a plan that failed may be changed."),
  model: configKey(
    text.optional(),
    "nothing",
    "The model that plans, as `provider:model`. Default: the model of the run.",
  ),
  models: configKey(
    z.array(text).default([]),
    "nothing",
    "Further models that the nodes of a plan may use, each as `provider:model`.",
  ),
});

const model = z.strictObject({
  provider: configKey(
    provider.optional(),
    "nothing",
    "The provider of the model. Default: found by the keys in the environment.",
  ),
  model_id: configKey(text.optional(), "nothing", "The name of the model at its provider."),
  base_url: configKey(text.optional(), "nothing", "The address of the provider's API."),
  max_retries: configKey(
    count.optional(),
    "lower",
    "How often a failed request is retried. Default: 10 times; in an unattended run until its time or money is used " +
      "up.",
    10,
  ),
  max_output_tokens: configKey(
    amount.optional(),
    "lower",
    "Maximum length of a reply, in tokens. Default: what the model allows; 8192 if that is unknown.",
    8192,
  ),
  stream: configKey(
    z.boolean().default(true),
    "free",
    "Whether replies are streamed. `false` for a model that cannot stream: each reply then arrives as a whole, and " +
      "must arrive within `agent.guardian.stall_timeout_secs`.",
  ),
});

const agent = z.strictObject({
  max_turns: configKey(count.default(25), "lower-limit", "Maximum number of turns of a run. 0: no limit."),
  max_duration_secs: configKey(
    count.max(MAX_SECS).default(600),
    "lower-limit",
    "Maximum duration of a run, in seconds. Waiting for a provider counts, waiting for the user does not. 0: no limit.",
  ),
  max_context_tokens: configKey(
    count.optional(),
    "lower-limit",
    "Maximum size of a request, in tokens. Default, and at most: the model's own window; 128000 if that is unknown; " +
      "32000 with the preset `ryvos`. 0: the context is not managed, every request has the whole conversation.",
    128_000,
  ),
  parallel_tools: configKey(z.boolean().default(true), "false", "Whether independent calls run at the same time."),
  context_strategy: configKey(
    z.enum(["summarize", "sliding_window", "compact", "none"]).default("summarize"),
    "free",
    "What to do when the context is nearly full: `summarize` asks the model for a summary of the oldest turns; " +
      "`compact` shortens old results, then drops turns; `sliding_window` drops the oldest turns; `none` does " +
      "nothing.",
  ),
  enable_summarization: configKey(
    z.boolean().optional(),
    "free",
    'The old name of `context_strategy`: `false` means `context_strategy = "compact"`, `true` means ' +
      '`context_strategy = "summarize"`.',
  ),
  min_tail: configKey(
    count.default(6),
    "free",
    "Number of newest messages that stay unchanged when the context is reduced.",
  ),
  max_tool_output_tokens: configKey(amount.default(4000), "lower", "Maximum size of a tool result, in tokens."),
  tool_timeout_secs: configKey(
    secs.default(120),
    "lower",
    "Maximum duration of a call, in seconds. The model can ask for up to five times as much for a command.",
  ),
  attended: configKey(
    z.boolean().optional(),
    "nothing",
    "Whether a user watches the run and is asked before loops and limits end it. Default: true if there is a terminal.",
  ),
  checkpoint: z
    .strictObject({
      enabled: configKey(z.boolean().default(true), "nothing", "Whether sessions are saved and can be resumed."),
    })
    .prefault({}),
  guardian: guardian.prefault({}),
  guardrails: z
    .strictObject({
      max_tokens_recoveries: configKey(
        count.default(2),
        "lower",
        "How often a reply that reached its maximum length is continued.",
      ),
      max_repeated_tool_steps: configKey(
        amount.optional(),
        "nothing",
        "For the preset `aar` only: number of equal steps after which a run ends.",
      ),
      reserve_tokens: configKey(
        count.default(512),
        "free",
        "When this many tokens or fewer are left of `budget.per_run_limit_tokens`, the agent is told to finish.",
      ),
      reserve_cost_fraction: configKey(
        share.default(0.1),
        "free",
        "When this fraction or less of a budget is left, the agent is told to finish.",
      ),
    })
    .prefault({}),
  judge: judge.prefault({}),
  director: director.prefault({}),
  log: z
    .strictObject({
      level: configKey(
        z.literal([0, 1, 2, 3]).default(3),
        "nothing",
        "0: none. 1: a summary of each run. 2: also turns and the guardian. 3: also calls.",
      ),
      dir: configKey(
        text.optional(),
        "nothing",
        "The folder of the run logs. Default: `logs` in Sheepdog's home folder.",
      ),
    })
    .prefault({}),
});

const budget = z.strictObject({
  monthly_limit_cents: centsLimit("Budget of all runs in a month (UTC), in cents."),
  warning_threshold_cents: configKey(
    cents.default(0),
    "lower-limit",
    "Cost of a month, in cents, at which there is a warning. 0: no warning.",
  ),
  per_day_limit_cents: centsLimit("Budget of all runs in a day (UTC), in cents."),
  per_session_limit_cents: centsLimit("Budget of a session, in cents."),
  per_run_limit_cents: centsLimit("Budget of a run, in cents."),
  per_run_warning_percent: configKey(
    percent.default(80),
    "lower-limit",
    "Share of a run's budget, in percent, at which there is a warning. 0: no warning.",
  ),
  per_run_limit_tokens: configKey(count.default(0), "lower-limit", "Maximum number of tokens of a run. 0: no limit."),
  unpriced: configKey(
    z.enum(["refuse-under-limit", "count-tokens"]).default("refuse-under-limit"),
    "nothing",
    "What to do if there is a budget but the price of the model is unknown: `refuse-under-limit` ends the run, " +
      "`count-tokens` warns once and relies on the other limits.",
  ),
  pricing_overrides: configKey(
    z
      .record(
        text,
        z.strictObject({
          input: price,
          output: price,
          input_per_1m: price.optional(),
          output_per_1m: price.optional(),
          cache_read: price.optional(),
          cache_write: price.optional(),
        }),
      )
      .default({}),
    "nothing",
    'Prices in cents per million tokens, by model, such as `"my-model" = { input = 300, output = 1500 }`, or by ' +
      'provider and model, such as `"ollama/qwen3:8b"`, which wins over the same model without a provider. ' +
      "The exact name of a model wins over its name without a date. " +
      "`cache_read` and `cache_write` default to the input price. `input_per_1m` and `output_per_1m` are other names " +
      "of `input` and `output`.",
  ),
});

/** All keys of the configuration: the single source of types, checks, the JSON schema and the table in the docs. */
export const configSchema = z.strictObject({
  agent: agent.prefault({}),
  budget: budget.prefault({}),
  model: model.prefault({}),
  fallback_models: configKey(
    z.array(z.strictObject({ provider, model_id: text, base_url: text.optional() })).default([]),
    "nothing",
    "Models to use if the first one fails, in order.",
  ),
  security: securityKeys.prefault({}),
  channels: channelKeys,
  mcp: mcpKeys.prefault({}),
  opentelemetry: openTelemetryKeys.prefault({}),
});

/** The complete configuration, with defaults. */
export type Config = z.output<typeof configSchema>;
