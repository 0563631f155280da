import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { type FlagValues, loadConfig } from "./load-config.ts";

// The configuration blocks of the documents that Sheepdog's presets come from, as they stand there. Lines that look
// empty there have one space.

const file = scratchFolder();

async function loadedFrom(user: string, flags: FlagValues = {}) {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/config.toml")) });
  await writeFile(home.configFile, user);
  const loaded = await loadConfig({ env: {}, cwd: join(home.dir, "project"), home, flags });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config;
}

const blocks: readonly (readonly [name: string, block: string, expected: object])[] = [
  [
    "000:52 the doom loop",
    `[agent.guardian]
doom_loop_threshold = 3             # Consecutive identical calls before intervention`,
    { agent: { guardian: { doom_loop_threshold: 3 } } },
  ],
  [
    "000:79 the stall",
    `[agent.guardian]
stall_timeout_secs = 120            # Seconds of inactivity before stall alert`,
    { agent: { guardian: { stall_timeout_secs: 120 } } },
  ],
  [
    "000:109 the context",
    `[agent.guardian]
token_budget_soft = 80              # Percentage: emit warning
token_budget_hard = 95              # Percentage: force stop
${" "}
[agent]
max_context_tokens = 32000          # The total budget`,
    { agent: { max_context_tokens: 32_000, guardian: { token_budget_soft: 80, token_budget_hard: 95 } } },
  ],
  [
    "000:122 the budget of a run",
    `[budget]
per_run_limit_cents = 100           # $1.00 per run maximum`,
    { budget: { per_run_limit_cents: 100 } },
  ],
  [
    "000:132 the budget of a month",
    `[budget]
monthly_limit_cents = 5000          # $50.00 per month
warning_threshold_cents = 4000      # Warn at $40.00`,
    { budget: { monthly_limit_cents: 5_000, warning_threshold_cents: 4_000 } },
  ],
  [
    "000:179 the whole guardian",
    `[agent.guardian]
enabled = true                      # Enable the guardian watchdog
doom_loop_threshold = 3             # Identical calls before intervention
stall_timeout_secs = 120            # Seconds before stall detection
${" "}
token_budget_soft = 80              # Percentage: warning threshold
token_budget_hard = 95              # Percentage: hard stop
${" "}
[budget]
monthly_limit_cents = 5000          # Monthly spending cap
warning_threshold_cents = 4000      # Monthly warning threshold
per_run_limit_cents = 100           # Per-run spending cap
${" "}
[budget.pricing_overrides]          # Custom pricing per model
"claude-sonnet-4-20250514" = { input_per_1m = 300, output_per_1m = 1500 }
"gpt-4o" = { input_per_1m = 250, output_per_1m = 1000 }`,
    {
      agent: {
        guardian: {
          enabled: true,
          doom_loop_threshold: 3,
          stall_timeout_secs: 120,
          token_budget_soft: 80,
          token_budget_hard: 95,
        },
      },
      budget: {
        monthly_limit_cents: 5_000,
        warning_threshold_cents: 4_000,
        per_run_limit_cents: 100,
        pricing_overrides: {
          "claude-sonnet-4-20250514": { input: 300, output: 1_500 },
          "gpt-4o": { input: 250, output: 1_000 },
        },
      },
    },
  ],
  [
    "001:207 the agent loop",
    `[agent]
max_turns = 25                    # Maximum ReAct loop iterations
max_duration_secs = 600           # Hard timeout per run
max_context_tokens = 32000        # Context window budget
parallel_tools = true             # Execute independent tools concurrently
enable_summarization = true       # Summarize old messages when pruning
${" "}
[agent.checkpoint]
enabled = true                    # Save state after each turn`,
    {
      agent: {
        max_turns: 25,
        max_duration_secs: 600,
        max_context_tokens: 32_000,
        parallel_tools: true,
        context_strategy: "summarize",
        checkpoint: { enabled: true },
      },
    },
  ],
];

test.each(blocks)("%s loads as it is", async (_, block, expected) => {
  expect(await loadedFrom(block)).toMatchObject(expected);
});

const guardrails = `"guardrails": {
  "max_tokens_recoveries":   2,    // auto-retry truncated responses (0 = off)
  "max_repeated_tool_steps": 3,    // consecutive identical tool calls before abort
  "reserve_tokens":          512,  // near_budget() token headroom
  "reserve_cost_fraction":   0.1   // near_budget() cost headroom (fraction of cost_limit)
}`;

test("002:132 the guardrails, which are JSON there, load key by key", async () => {
  const json: unknown = JSON.parse(`{${guardrails.replaceAll(/\/\/.*$/gm, "")}}`);
  expect(json).toHaveProperty("guardrails");
  const values = Object.values(json as Record<string, Record<string, unknown>>)[0] ?? {}; // checked above
  const flags = Object.fromEntries(Object.entries(values).map(([key, value]) => [`agent.guardrails.${key}`, value]));
  const { agent } = await loadedFrom("", { ...flags, "agent.guardian.preset": "aar" });
  expect(agent.guardrails).toEqual({
    max_tokens_recoveries: 2,
    max_repeated_tool_steps: 3,
    reserve_tokens: 512,
    reserve_cost_fraction: 0.1,
  });
});
