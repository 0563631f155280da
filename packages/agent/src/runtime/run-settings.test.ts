import { expect, test } from "vitest";
import { runSettings } from "./run-settings.ts";

const settingsOf = (modelId: string, attended = true) => runSettings({ models: [{ modelId }], attended });

test("context and reply are as large as the model allows", () => {
  expect(settingsOf("claude-sonnet-4-5")).toMatchObject({ maxContextTokens: 200_000, maxOutputTokens: 64_000 });
});

test("a model of unknown size gets 128,000 tokens of context and 8,192 of output", () => {
  expect(settingsOf("shepherd-1")).toMatchObject({ maxContextTokens: 128_000, maxOutputTokens: 8_192 });
});

test("the window of a model is that of the table, unless it is set; 0 if it is unknown", () => {
  expect(settingsOf("claude-sonnet-4-5").contextWindow).toBe(200_000);
  expect(settingsOf("shepherd-1").contextWindow).toBe(0);
  const settings = { contextWindow: 64_000 };
  expect(runSettings({ models: [{ modelId: "gpt-4o" }], attended: true, settings }).contextWindow).toBe(64_000);
});

test("explicit settings win", () => {
  const settings = { maxContextTokens: 32_000, maxOutputTokens: 4_096, maxRetries: 2 };
  expect(runSettings({ models: [{ modelId: "gpt-6-sol" }], attended: false, settings })).toMatchObject(settings);
});

test("25 turns and 600 seconds; 0 is no limit", () => {
  expect(settingsOf("shepherd-1")).toMatchObject({ maxTurns: 25, maxDurationSecs: 600 });
  const settings = { maxTurns: 0, maxDurationSecs: 0, maxContextTokens: 0 };
  expect(runSettings({ models: [{ modelId: "m" }], attended: true, settings })).toMatchObject(settings);
});

test("an unattended run retries until a limit ends it, an attended one ten times", () => {
  expect(settingsOf("shepherd-1", false).maxRetries).toBe(Number.POSITIVE_INFINITY);
  expect(settingsOf("shepherd-1", true).maxRetries).toBe(10);
});
