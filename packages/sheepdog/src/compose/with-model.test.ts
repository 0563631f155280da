import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { withModel } from "./with-model.ts";

const config = configSchema.parse({
  model: { provider: "openai-compatible", model_id: "a", base_url: "http://127.0.0.1:1/v1", max_retries: 1 },
});

test("the key of another provider is not sent to the configured base URL", () => {
  expect(withModel(config, "anthropic:claude-x")).toMatchObject({
    ok: true,
    config: { model: { provider: "anthropic", model_id: "claude-x", max_retries: 1 } },
  });
  expect(withModel(config, "anthropic:claude-x")).not.toHaveProperty("config.model.base_url");
  expect(withModel(config, "openai-compatible:b:7b")).toHaveProperty("config.model.base_url", "http://127.0.0.1:1/v1");
  expect(withModel(config, "openai-compatible:b:7b")).toHaveProperty("config.model.model_id", "b:7b");
});

test("an invalid name is explained", () => {
  for (const name of ["claude", ":x", "anthropic:", "anthropic: "])
    expect(withModel(config, name)).toMatchObject({ ok: false, problem: expect.stringContaining("provider:model") });
  expect(withModel(config, "ollma:x")).toEqual({
    ok: false,
    problem: '--model ollma:x: there is no provider "ollma"; did you mean "ollama"?',
  });
});
