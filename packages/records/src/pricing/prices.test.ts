import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listedModels } from "./listed-models.ts";
import type { PriceOverrides } from "./price-overrides.ts";
import { createPrices } from "./prices.ts";
import { createRunPrices } from "./run-prices.ts";

const at = Date.UTC(2026, 9, 1, 12);
const million = 1_000_000;
const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
const usd = (dollars: number) => Math.round(dollars * 1_000_000_000);
const listed = await createPrices();

describe("listed prices", () => {
  test("input, cache reads, cache writes and output each have their own price", () => {
    // Claude Sonnet 4.5: $3 input, $3.75 cache write, $0.30 cache read, $15 output per million
    const usage = { input: 100_000, cacheRead: 80_000, cacheWrite: 15_000, output: 2_000 };
    // 5,000 × $3 + 80,000 × $0.30 + 15,000 × $3.75 + 2,000 × $15 = $0.015 + $0.024 + $0.05625 + $0.03
    expect(listed.price({ provider: "anthropic", model: "claude-sonnet-4-5", usage, at })).toBe(125_250_000);
  });

  test("cache tokens without a price of their own cost as much as input", () => {
    // Llama 3.3 70B at Groq: $0.59 and $0.79; 1,000 × $0.59 + 100 × $0.79 = $0.00059 + $0.000079
    const usage = { input: 1_000, cacheRead: 600, cacheWrite: 0, output: 100 };
    expect(listed.price({ provider: "groq", model: "llama-3.3-70b-versatile", usage, at })).toBe(669_000);
  });

  test("a long context costs more from its tier on, for all tokens", () => {
    const price = (input: number) =>
      listed.price({ provider: "anthropic", model: "claude-sonnet-4-5", usage: { ...none, input, output: 1_000 }, at });
    expect(price(200_000)).toBe(usd(0.6 + 0.015)); // $3 and $15
    expect(price(200_001)).toBe(usd(1.200006 + 0.0225)); // $6 and $22.50
    expect(listed.price({ provider: "openai", model: "gpt-5.5", usage: { ...none, input: million }, at })).toBe(
      usd(10),
    );
    expect(
      listed.price({
        provider: "google",
        model: "gemini-2.5-pro",
        usage: { ...none, input: 300_000, cacheRead: 300_000 },
        at,
      }),
    ).toBe(usd(0.075)); // $0.25
  });

  test("an hourly price is the price at the time of the request", () => {
    const price = (hour: number) =>
      listed.price({
        provider: "deepseek",
        model: "deepseek-chat",
        usage: { ...none, input: million },
        at: Date.UTC(2025, 2, 1, hour),
      });
    expect([price(12), price(20)]).toEqual([usd(0.27), usd(0.135)]);
  });

  test("a price per request is added", () => {
    // Sonar: $1 and $1 per million tokens, $12 per thousand requests
    expect(
      listed.price({ provider: "perplexity", model: "sonar", usage: { ...none, input: 1_000, output: 1_000 }, at }),
    ).toBe(usd(0.014));
  });

  test("rounds half up once, at the end", async () => {
    // GPT-4.1 nano reads cached tokens at $0.025 per million: 25 nano-dollars per token
    expect(
      listed.price({ provider: "openai", model: "gpt-4.1-nano", usage: { ...none, input: 3, cacheRead: 3 }, at }),
    ).toBe(75);
    // Half a nano-dollar per token.
    const prices = await createPrices({ overrides: { m: { input: 0.05, output: 0.05 } } });
    const price = (input: number, output: number) =>
      prices.price({ model: "m", usage: { ...none, input, output }, at });
    expect([price(1, 0), price(1, 1), price(1, 2), price(2, 2)]).toEqual([1, 1, 2, 2]);
  });

  test.each([
    ["anthropic", "claude-sonnet-4-5-20250929", 3],
    ["anthropic.messages", "claude-opus-4-1-20250805", 15],
    [undefined, "claude-sonnet-4-5-20250929", 3],
    ["openrouter", "anthropic/claude-sonnet-4.5", 3],
    ["openrouter.chat", "openai/gpt-4o", 2.5],
    [undefined, "anthropic/claude-sonnet-4.5", 3],
    [undefined, "anthropic/claude-sonnet-4-5-20250929", 3],
    [undefined, "google/gemini-2.5-flash", 0.3],
    ["amazon-bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3.3],
    [undefined, "us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3.3],
    ["google-vertex", "claude-opus-4-1@20250805", 15],
    ["google.generative-ai", "models/gemini-2.5-flash", 0.3],
    ["openai.responses", "gpt-4o-2024-08-06", 2.5],
    ["openai-chat", "gpt-5-2025-08-07", 1.25],
    ["azure", "gpt-4o", 2.5],
    ["openrouter", "deepseek/deepseek-r1:free", 0],
    [undefined, "litellm_proxy/claude-sonnet-4-20250514", 3],
    [undefined, "litellm_proxy/anthropic/claude-sonnet-4.5", 3],
  ])("lists %s %s", (provider, model, dollars) => {
    const request = { model, usage: { ...none, input: 100_000 }, at, ...(provider === undefined ? {} : { provider }) };
    expect(listed.price(request)).toBe(usd(dollars / 10));
  });

  test("an OpenAI-compatible server is identified by its URL", () => {
    const request = {
      provider: "openai-compatible.chat",
      model: "llama-3.3-70b-versatile",
      usage: { ...none, input: million },
      at,
    };
    expect(listed.price({ ...request, url: "https://api.groq.com/openai/v1" })).toBe(usd(0.59));
    expect(listed.price({ ...request, url: "http://127.0.0.1:8000/v1" })).toBeNull();
    expect(listed.price({ ...request, model: "gpt-4o" })).toBeNull(); // an unknown server that uses a known name
  });
});

describe("unknown prices", () => {
  test.each([
    [undefined, "my-model"],
    ["anthropic", "claude-9"],
    ["anthropic", "claude-sonnet-5-5"], // the list has claude-sonnet-5
    ["anthropic", "claude-sonnet-5-5-20261020"],
    ["openai", "gpt-6.1-sol"],
    ["unlisted", "gpt-4o"],
    ["ollama", "llama3"],
    ["openai", ""],
    ["google", "gemma-3"], // listed without prices
    ["x-ai", "grok-voice-latest"], // by the hour
  ])("are null, not 0: %s %s", (provider, model) => {
    const request = { model, at, ...(provider === undefined ? {} : { provider }) };
    expect(listed.price({ ...request, usage: { ...none, input: 10, output: 10 } })).toBeNull();
    expect(listed.price({ ...request, usage: none })).toBeNull();
    expect(listed.maxPrice({ ...request, input: 10, maxOutput: 10 })).toBeNull();
  });

  test("tokens without a price make the price of the request unknown", () => {
    const embed = (output: number) =>
      listed.price({
        provider: "openai",
        model: "text-embedding-3-small",
        usage: { ...none, input: million, output },
        at,
      });
    expect([embed(0), embed(1)]).toEqual([usd(0.02), null]);
  });

  test("invalid token counts are refused", () => {
    for (const input of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => listed.price({ model: "gpt-4o", usage: { ...none, input }, at })).toThrow(
        "Expected the input tokens of a request to be a whole number",
      );
  });
});

describe("price overrides", () => {
  const overrides: PriceOverrides = {
    "claude-sonnet-4-5": { input: 100, output: 200, cache_read: 7.5, cache_write: 0 },
    "openrouter/claude-sonnet-4-5": { input: 1, output: 1 },
    "My-Model": { input: 0, output: 0 },
    "anthropic/claude-sonnet-4.5": { input: 300, output: 1_500 },
  };

  test("take precedence over listed prices, in cents per million tokens", async () => {
    const prices = await createPrices({ overrides });
    const usage = { input: million, cacheRead: 200_000, cacheWrite: 300_000, output: million };
    // 500,000 × $1 + 200,000 × $0.075 + 0 + $2
    expect(prices.price({ provider: "anthropic", model: "claude-sonnet-4-5", usage, at })).toBe(usd(0.5 + 0.015 + 2));
    expect(prices.price({ model: "Claude-Sonnet-4-5-20250929", usage, at })).toBe(usd(2.515));
    // Without prices of their own, cache tokens cost as much as input.
    expect(prices.price({ provider: "openrouter.chat", model: "claude-sonnet-4-5", usage, at })).toBe(usd(0.02));
    expect(prices.price({ provider: "openrouter", model: "anthropic/claude-sonnet-4.5", usage, at })).toBe(usd(18));
    expect(prices.price({ provider: "openai", model: "gpt-4o", usage: { ...none, input: million }, at })).toBe(
      usd(2.5),
    );
  });

  test.each([
    ["anthropic.messages", "claude-x", "anthropic/claude-x"],
    ["openai.responses", "gpt-x", "openai/gpt-x"],
    ["openai.chat", "gpt-x", "openai-chat/gpt-x"],
    ["openai.chat", "gpt-x", "openai/gpt-x"],
    ["google.generative-ai", "gemini-x", "google/gemini-x"],
    ["openrouter.chat", "acme/model-x", "openrouter/acme/model-x"],
    ["ollama.chat", "qwen3:8b", "ollama/qwen3:8b"],
    ["openai-compatible.chat", "my-model", "openai-compatible/my-model"],
  ])("of %s %s are found with the key %s, and with the id alone", async (provider, model, key) => {
    const costWith = async (overrides: PriceOverrides) =>
      (await createPrices({ overrides })).price({ provider, model, usage: { ...none, input: million }, at });
    expect(await costWith({ [key]: { input: 300, output: 300 } })).toBe(usd(3));
    expect(await costWith({ [model]: { input: 200, output: 200 } })).toBe(usd(2));
    const both = { [model]: { input: 200, output: 200 }, [key]: { input: 300, output: 300 } };
    expect(await costWith(both)).toBe(usd(3));
    expect(await costWith({ [`another/${model}`]: { input: 1, output: 1 } })).toBeNull();
  });

  test("with the exact id win over those with the id without its date, also over a key with the provider", async () => {
    const costWith = async (overrides: PriceOverrides) =>
      (await createPrices({ overrides })).price({
        provider: "anthropic",
        model: "model-x-20260501",
        usage: { ...none, input: million },
        at,
      });
    const exact = { "model-x-20260501": { input: 100, output: 100 } };
    const withoutDate = { "model-x": { input: 200, output: 200 }, "anthropic/model-x": { input: 300, output: 300 } };
    expect(await costWith(withoutDate)).toBe(usd(3));
    expect(await costWith({ ...withoutDate, ...exact })).toBe(usd(1));
    expect(await costWith({ ...exact, "anthropic/model-x-20260501": { input: 400, output: 400 } })).toBe(usd(4));
  });

  test("a price of 0 is 0", async () => {
    const prices = await createPrices({ overrides });
    expect(prices.price({ provider: "ollama", model: "my-model", usage: { ...none, input: 5, output: 5 }, at })).toBe(
      0,
    );
    expect(prices.maxPrice({ provider: "ollama", model: "my-model", input: 5, maxOutput: 5, at })).toBe(0);
  });

  test.each<[unknown, string]>([
    [
      { m: { input: -1, output: 1 } },
      'Expected pricing_overrides."m".input to be cents per million tokens, a number from 0 up, got -1.',
    ],
    [
      { m: { input: 1, output: Number.NaN } },
      'Expected pricing_overrides."m".output to be cents per million tokens, a number from 0 up, got NaN.',
    ],
    [
      { m: { input: "300", output: 1 } },
      'Expected pricing_overrides."m".input to be cents per million tokens, a number from 0 up, got "300".',
    ],
    [
      { m: { input: 1, output: 1, cache_read: null } },
      'Expected pricing_overrides."m".cache_read to be cents per million tokens, a number from 0 up, got null.',
    ],
    [{ m: { input: Number.POSITIVE_INFINITY, output: 1 } }, 'Expected pricing_overrides."m".input to be cents'],
    [{ m: { input: 1 } }, 'Expected pricing_overrides."m" to have input and output in cents per million tokens.'],
    [
      { m: { input: 1, output: 1, cached: 1 } },
      'Expected pricing_overrides."m" to have no more than input, output, cache_read, cache_write, got cached.',
    ],
    [{ m: 3 }, 'Expected pricing_overrides."m" to be { input, output } in cents per million tokens, got 3.'],
    [[], "Expected pricing_overrides to be prices by model"],
  ])("that are no valid prices are refused: %j", async (wrong, sentence) => {
    await expect(createPrices({ overrides: wrong as PriceOverrides })).rejects.toThrow(sentence);
  });
});

describe("the maximum price of a request", () => {
  test("is all input at the price of cache writes, and all output", () => {
    // a cache write at $3.75 costs more than input at $3; output $15
    expect(
      listed.maxPrice({ provider: "anthropic", model: "claude-sonnet-4-5", input: 100_000, maxOutput: 4_000, at }),
    ).toBe(usd(0.375 + 0.06));
    expect(
      listed.maxPrice({ provider: "anthropic", model: "claude-sonnet-4-5", input: 300_000, maxOutput: 4_000, at }),
    ).toBe(usd(2.25 + 0.09));
  });

  test("is never less than the price of a request of that size or a smaller one", async () => {
    const overrides = { odd: { input: 100, output: 300, cache_read: 250, cache_write: 20 } };
    const prices = await createPrices({ overrides });
    const models = [
      { provider: "anthropic", model: "claude-sonnet-4-5" },
      { provider: "openai", model: "gpt-5.5" },
      { provider: "google", model: "gemini-2.5-pro" },
      { provider: "perplexity", model: "sonar-pro" },
      { provider: "unlisted", model: "odd" },
    ];
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.nat(2 * million),
        fc.nat(200_000),
        fc.tuple(share, share, share, share),
        (model, input, maxOutput, shares) => {
          const used = Math.floor(input * shares[0]);
          const cacheRead = Math.floor(used * shares[1]);
          const cacheWrite = Math.floor((used - cacheRead) * shares[2]);
          const cost = prices.price({
            ...model,
            usage: { input: used, cacheRead, cacheWrite, output: Math.floor(maxOutput * shares[3]) },
            at,
          });
          expect(cost).not.toBeNull();
          expect(Number.isSafeInteger(cost)).toBe(true);
          expect(prices.maxPrice({ ...model, input, maxOutput, at })).toBeGreaterThanOrEqual(cost ?? Number.NaN);
        },
      ),
    );
  });
});

test("the context window is the listed one, also for models with a price override", async () => {
  const overridden = await createPrices({ overrides: { "gpt-4": { input: 1, output: 1 } } });
  expect(
    [listed, overridden].map((prices) => prices.contextWindow({ model: "gpt-4", provider: "openai", at })),
  ).toEqual([8_192, 8_192]);
  expect(listed.contextWindow({ model: "shepherd-1", provider: "openai-compatible", at })).toBeUndefined();
});

test("models are listed for providers, not for servers of unknown models", async () => {
  expect((await listedModels("openai")).length).toBeGreaterThan(0);
  expect(await listedModels("openai-compatible")).toEqual([]);
});

test("a run's prices are found by model id, with the provider of the run's model", () => {
  const models = [
    { modelId: "gpt-4o", provider: "ollama.chat" },
    { modelId: "openai/gpt-4o", provider: "openrouter.chat" },
    { modelId: "gpt-4o", provider: "openai.responses" },
  ];
  const prices = createRunPrices(listed, models, () => at);
  const usage = { ...none, input: million, isEstimated: false };
  expect(["gpt-4o", "openai/gpt-4o", "gpt-4o-mini"].map((model) => prices.price(model, usage))).toEqual([
    null,
    usd(2.5),
    usd(0.15),
  ]);
  expect(prices.maxPrice("openai/gpt-4o", { input: million, maxOutput: 1_000 })).toBe(usd(2.51));
});

describe("without a network", () => {
  const fetched = vi.fn();
  beforeEach(() => vi.stubGlobal("fetch", fetched));
  afterEach(() => vi.unstubAllGlobals());

  test("nothing is fetched", async () => {
    const prices = await createPrices();
    prices.price({ model: "gpt-4o", usage: none, at });
    expect(fetched).not.toHaveBeenCalled();
  });
});

test("prices for hours of the day are not charged before the date from which they are", async () => {
  const prices = await createPrices();
  const usage = { input: 1_000_000, cacheRead: 0, cacheWrite: 0, output: 0 };
  const usd = (at: string) => prices.price({ model: "deepseek-v4-flash", at: Date.parse(at), usage });
  expect(usd("2026-05-10T02:00:00Z")).toBe(usd("2026-05-10T12:00:00Z"));
  expect(usd("2026-09-10T02:00:00Z")).toBe(2 * (usd("2026-09-10T12:00:00Z") ?? 0));
});
