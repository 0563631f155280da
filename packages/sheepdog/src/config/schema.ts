import { detectorNames, type levels, toolKinds } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { z } from "zod";
import { key } from "./key.ts";

/** As many seconds as a timer can wait. */
const longestSecs = 2_147_483;

/** As many cents as are still a whole number of nano-dollars that can be counted exactly. */
const mostCents = 900_000_000;

const amount = z.int().min(1);
const count = z.int().min(0);
const secs = amount.max(longestSecs);
const percent = z.number().min(0).max(100);
const cents = z.number().min(0).max(mostCents);
const price = z.number().min(0).max(100_000_000); // no model costs a million dollars a million tokens
const text = z.string().min(1);
const detector = z.enum(detectorNames);

const centsLimit = (description: string) => key(cents.default(0), "lower-limit", `${description} 0: no limit.`);

/** Those `@sheepdog/agent` knows; to import it here would load all of it with every command that reads the configuration. */
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
  hint: z.number().positive().optional(),
  warn: z.number().positive().optional(),
  block: z.number().positive().optional(),
  halt: z.number().positive().optional(),
} satisfies Record<(typeof levels)[number], z.ZodType>);

const guardian = z.strictObject({
  enabled: key(z.boolean().default(true), "true", "Whether detectors look at the run. Limits hold either way."),
  mode: key(
    z.enum(["guide", "advise", "observe"]).default("guide"),
    "nothing",
    "`guide` may refuse calls and end runs, `advise` refuses none, `observe` only notes. A preset that refuses none stays so.",
  ),
  preset: key(
    z.enum(Object.keys(presets) as (keyof typeof presets)[]).default("default"),
    "nothing",
    "The policy to begin with.",
  ),
  doom_loop_threshold: key(
    amount.min(2).default(3),
    "lower",
    "After how many equal calls the agent is told; the later rungs keep their distance. 3: as the preset has it.",
  ),
  stall_timeout_secs: key(
    count.max(longestSecs).default(120),
    "lower-limit",
    "How long nothing may be heard before it is a stall. 0: for ever.",
  ),
  token_budget_soft: key(
    percent.default(80),
    "lower-limit",
    "Share of the context, in percent, at which a warning is given. 0: none.",
  ),
  token_budget_hard: key(
    percent.default(95),
    "lower-limit",
    "Share of the context, in percent, at which a run that could not be compacted ends. 0: none.",
  ),
  detectors: key(
    z.partialRecord(detector, z.union([z.literal("off"), rungs])).default({}),
    "nothing",
    'Counts at which a detector speaks, as in `cycle = { hint = 4, halt = 9 }`, or `cycle = "off"`.',
  ),
  tools: key(
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
    "What is different for tools whose name matches the glob: their `kind`, a `scale` for how patient to be with them, detectors that are `off` for them.",
  ),
});

const model = z.strictObject({
  provider: key(
    provider.optional(),
    "nothing",
    "Whose model it is. Found by the keys in the environment where it is not said.",
  ),
  model_id: key(text.optional(), "nothing", "The model's name at its provider."),
  base_url: key(text.optional(), "nothing", "Where the provider is."),
  max_retries: key(count.default(3), "lower", "How often a request that failed is made again."),
  max_output_tokens: key(amount.default(4096), "lower", "How long a reply may be."),
});

const agent = z.strictObject({
  max_turns: key(amount.default(25), "lower", "After how many turns a run ends."),
  max_duration_secs: key(secs.default(600), "lower", "After how many seconds a run ends."),
  max_context_tokens: key(
    amount.default(32_000),
    "lower",
    "The most that is sent with one request; the model's own window where that is smaller.",
  ),
  parallel_tools: key(
    z.boolean().default(true),
    "false",
    "Whether calls that do not depend on each other run at the same time.",
  ),
  context_strategy: key(
    z.enum(["summarize", "sliding_window", "compact", "none"]).default("compact"),
    "free",
    "What is done when the context is nearly full: `compact` shortens old results, then leaves turns out; `sliding_window` leaves the oldest out; `summarize` has the model sum them up; `none` does nothing.",
  ),
  enable_summarization: key(
    z.boolean().optional(),
    "free",
    'The older name: `false` reads as `context_strategy = "compact"`, `true` as `context_strategy = "summarize"`.',
  ),
  min_tail: key(
    count.default(6),
    "free",
    "How many of the newest messages stay as they are when the context is made smaller.",
  ),
  max_tool_output_tokens: key(amount.default(4000), "lower", "How much of a tool's output the model reads."),
  tool_timeout_secs: key(
    secs.default(120),
    "lower",
    "After how many seconds a call is ended; a command for which the model asks for more time, after five times as many.",
  ),
  attended: key(z.boolean().optional(), "nothing", "Whether a person watches. By the terminal where it is not said."),
  checkpoint: z
    .strictObject({
      enabled: key(z.boolean().default(true), "nothing", "Whether sessions are kept, and can be resumed."),
    })
    .prefault({}),
  guardian: guardian.prefault({}),
  guardrails: z
    .strictObject({
      max_tokens_recoveries: key(
        count.default(2),
        "lower",
        "How often a reply that was cut off at its length is continued.",
      ),
      max_repeated_tool_steps: key(
        amount.optional(),
        "nothing",
        "The preset `aar` only: after how many equal steps it ends a run.",
      ),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: key(
        z.literal([0, 1, 2, 3]).default(3),
        "nothing",
        "0 none, 1 a summary of each run, 2 turns and the guardian, 3 calls as well.",
      ),
      dir: key(text.optional(), "nothing", "Where run logs are kept; in Sheepdog's own folder where it is not said."),
    })
    .prefault({}),
});

const budget = z.strictObject({
  monthly_limit_cents: centsLimit("The most all runs may cost in a month (UTC)."),
  warning_threshold_cents: key(
    cents.default(0),
    "lower-limit",
    "What a month may cost before there is a warning. 0: no warning.",
  ),
  per_day_limit_cents: centsLimit("The most all runs may cost in a day (UTC)."),
  per_session_limit_cents: centsLimit("The most a session may cost."),
  per_run_limit_cents: centsLimit("The most a run may cost."),
  per_run_warning_percent: key(
    percent.default(80),
    "lower-limit",
    "Share of a run's limits, in percent, at which there is a warning. 0: no warning.",
  ),
  per_run_limit_tokens: key(count.default(0), "lower-limit", "The most tokens a run may use. 0: no limit."),
  unpriced: key(
    z.enum(["refuse-under-limit", "count-tokens"]).default("refuse-under-limit"),
    "nothing",
    "Where a limit of money meets a model whose price nobody knows: `refuse-under-limit` ends the run, `count-tokens` says so once and relies on the other limits.",
  ),
  pricing_overrides: key(
    z
      .record(
        text,
        z.strictObject({ input: price, output: price, cache_read: price.optional(), cache_write: price.optional() }),
      )
      .default({}),
    "nothing",
    'Prices by model, in cents for a million tokens, as in `"my-model" = { input = 300, output = 1500 }`; `cache_read` and `cache_write` as input where they are not said.',
  ),
});

const security = z.strictObject({
  pause_before: key(z.array(text).default([]), "longer-list", "Tools (globs) that are always asked about."),
  approval_timeout_secs: key(
    count.max(longestSecs).default(0),
    "lower-limit",
    "After how many seconds without an answer a question is a no. 0: it waits.",
  ),
});

/** Everything that can be configured: the one source of types, checks, the JSON schema and the table in the docs. */
export const configSchema = z.strictObject({
  agent: agent.prefault({}),
  budget: budget.prefault({}),
  model: model.prefault({}),
  fallback_models: key(
    z.array(z.strictObject({ provider, model_id: text, base_url: text.optional() })).default([]),
    "nothing",
    "Models to ask when the first one cannot answer, in order.",
  ),
  security: security.prefault({}),
});

/** The configuration with everything filled in. */
export type Config = z.output<typeof configSchema>;
