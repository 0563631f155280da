import { expect, test } from "vitest";
import { recordSettings, withRunSettings } from "./run-settings.ts";
import { configSchema } from "./schema.ts";

test("a run records what is not the default, and what was given besides", () => {
  const config = configSchema.parse({
    agent: { max_turns: 9, guardian: { preset: "strict" }, log: { level: 1 } },
    budget: { per_run_limit_cents: 20, monthly_limit_cents: 900, per_day_limit_cents: 50 },
    model: { provider: "openai", model_id: "gpt-5" },
    fallback_models: [{ provider: "openai", model_id: "gpt-5-mini" }],
  });
  expect(recordSettings(config, { "budget.per_day_limit_cents": 50, "security.sandbox": "off" })).toEqual({
    settings: {
      "agent.max_turns": 9,
      "agent.guardian.preset": "strict",
      "budget.per_run_limit_cents": 20,
      "model.provider": "openai",
      "model.model_id": "gpt-5",
      fallback_models: [{ provider: "openai", model_id: "gpt-5-mini" }],
      "budget.per_day_limit_cents": 50,
      "security.sandbox": "off",
    },
    omitted: [],
  });
});

test("what may hold a secret, or is too long, is named and not recorded", () => {
  const config = configSchema.parse({ model: { base_url: "https://me:hunter2secret@host/v1" } });
  const given = { "mcp.servers.x.env": { A: "b" }, "security.pause_before": ["x".repeat(5_000)] };
  expect(recordSettings(config, given)).toEqual({
    settings: {},
    omitted: ["model.base_url", "mcp.servers.x.env", "security.pause_before"],
  });
});

test("the settings of a run replace those of a configuration, also by a default", () => {
  const config = configSchema.parse({
    agent: { max_turns: 99, max_context_tokens: 5_000 },
    budget: { unpriced: "count-tokens" },
  });
  const changed = withRunSettings(config, {
    "budget.per_run_limit_cents": 20,
    "agent.guardian.tools": { a: { off: "all" } },
  });
  expect(changed.agent).toMatchObject({ max_turns: 25, max_context_tokens: undefined });
  expect(changed.budget).toMatchObject({ per_run_limit_cents: 20, unpriced: "refuse-under-limit" });
  expect(changed.agent.guardian.tools).toMatchObject({ a: { off: "all" } });
});
