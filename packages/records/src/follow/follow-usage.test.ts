import { expect, test } from "vitest";
import { fixtureText, readFixtures } from "../../test/fixtures/home.ts";
import { ownRuns } from "../../test/own-runs.ts";
import { modelUsage } from "../costs/model-usage.ts";
import { priceRun } from "../costs/price-run.ts";
import { createPrices, type Prices } from "../pricing/prices.ts";
import { readRates, storeRates } from "../pricing/stored-rates.ts";
import { type FollowedUsage, followUsage, noUsage } from "./follow-usage.ts";
import { type FollowedFormat, followClaudeCode, followCodex, followGeminiCli } from "./index.ts";

const at = Date.UTC(2026, 10, 2, 12);
const claudeFolder = ".claude/projects/-home-ada-shop/0b6f1a52-7c1d-4e58-9a3b-2f64d0c7e911";

const recordings: readonly (readonly [string, FollowedFormat, readonly string[]])[] = [
  [
    "Claude Code, with its subagents",
    followClaudeCode,
    [`${claudeFolder}.jsonl`, ...["a1b2c3d", "b7c8d9e"].map((id) => `${claudeFolder}/subagents/agent-${id}.jsonl`)],
  ],
  [
    "Codex",
    followCodex,
    [".codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-0199aaaa-0000-7000-8000-000000000001.jsonl"],
  ],
  ["gemini-cli", followGeminiCli, [".gemini/tmp/shop/chats/session-2026-11-02T12-00-11111111.jsonl"]],
];

/** Follows the files line by line, each in another process: the state goes through JSON. */
function follow(format: FollowedFormat, files: readonly string[], prices: Prices): FollowedUsage {
  const ratesOf = (model: string) => readRates(JSON.parse(JSON.stringify(storeRates(prices.rates({ model, at })))));
  const lines = files.flatMap((file) => fixtureText(file).split("\n"));
  return lines.reduce<FollowedUsage>((usage, line) => {
    const followed = followUsage(JSON.parse(JSON.stringify(usage)), [line], { format, ratesOf, since: 0 });
    return followed.usage;
  }, noUsage);
}

test.each(recordings)("%s: a recording that is followed has the sums of one that is read", async (_, format, files) => {
  const prices = await createPrices();
  const { runs } = await readFixtures(...files);
  const read = ownRuns(runs)
    .flatMap((run) => modelUsage(priceRun(run, prices, at)))
    .reduce(
      (sum, usage) => ({
        inputTokens: sum.inputTokens + usage.inputTokens,
        cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
        cacheWriteTokens: sum.cacheWriteTokens + usage.cacheWriteTokens,
        outputTokens: sum.outputTokens + usage.outputTokens,
        costNanoUsd: sum.costNanoUsd + usage.pricedNanoUsd + usage.recordedNanoUsd,
        isPriced: sum.isPriced && usage.unpricedTokens === 0,
      }),
      { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costNanoUsd: 0, isPriced: true },
    );
  expect(read.inputTokens).toBeGreaterThan(10_000);
  expect(follow(format, files, prices)).toMatchObject(read);
});

const reply = (id: string, output: number, time = "2026-11-02T12:00:00Z") =>
  JSON.stringify({
    type: "assistant",
    timestamp: time,
    message: { id, model: "m", usage: { input_tokens: 10, output_tokens: output } },
  });
const rates = { input: { base: 1_000_000_000n, tiers: [] }, output: { base: 1_000_000_000n, tiers: [] } };
const options = { format: followClaudeCode, ratesOf: () => rates, since: Date.UTC(2026, 10, 2) };

test("money from before the first hook is in the sums, and is not new", () => {
  const lines = [reply("a", 5, "2026-11-01T12:00:00Z"), reply("b", 5)];
  expect(followUsage(noUsage, lines, options)).toMatchObject({ usage: { costNanoUsd: 30 }, newNanoUsd: 15 });
});

test("a model without looked up prices is named, and one without a price makes the sum incomplete", () => {
  expect(followUsage(noUsage, [reply("a", 5)], { ...options, ratesOf: () => undefined }).unknownModels).toEqual(["m"]);
  const { usage } = followUsage(noUsage, [reply("a", 5)], { ...options, ratesOf: () => ({}) });
  expect(usage).toMatchObject({ costNanoUsd: 0, isPriced: false, inputTokens: 10 });
});

test("a copied conversation is not counted again, and the state stays small", () => {
  const lines = Array.from({ length: 300 }, (_, index) => reply(`msg_${index}`, 5));
  const first = followUsage(noUsage, lines, options).usage;
  const second = followUsage(JSON.parse(JSON.stringify(first)), [...lines, reply("other", 5)], options).usage;
  expect(second.inputTokens - first.inputTokens).toBe(10);
  expect(JSON.stringify(second).length).toBeLessThan(8_000);
});

test("what is no usage changes nothing", () => {
  const lines = ['{"usage"', '"usage"', '{"type":"assistant","usage":{"input_tokens":1}}', "null", ""];
  expect(followUsage(noUsage, lines, options)).toEqual({ usage: noUsage, newNanoUsd: 0, unknownModels: [] });
});
