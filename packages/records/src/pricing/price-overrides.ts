import { type Rate, type Rates, toRate } from "./rates.ts";

/** Configured prices of a model, in cents per million tokens. Cache tokens cost as much as input by default. */
export interface PriceOverride {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

/**
 * By `model-id`, which is the price at every provider, or by `provider/model-id`, which wins over the same id without a
 * provider. A key with the exact id wins over each key with the id without its date. An id may have slashes itself, as
 * at OpenRouter: `anthropic/claude-sonnet-4.5`, or `openrouter/anthropic/claude-sonnet-4.5`.
 */
export type PriceOverrides = Readonly<Record<string, PriceOverride>>;

const priceKeys = ["input", "output", "cache_read", "cache_write"] as const;

/** A million dollars per million tokens: a higher price is a typing error. */
const MAX_CENTS = 100_000_000;

/** Parses overrides into rates by normalized id. Throws an error that names the wrong key. */
export function parsePriceOverrides(overrides: unknown): ReadonlyMap<string, Rates> {
  if (overrides === undefined) return new Map();
  const example = 'prices by model, such as "model-id" = { input = 300, output = 1500 }';
  const table = asTable(overrides, "pricing_overrides", example);
  return new Map(
    Object.entries(table).map(([id, prices]) => [normalizedId(id), parseRates(prices, `pricing_overrides."${id}"`)]),
  );
}

/** The id in the form used for comparison: providers ignore case. */
export function normalizedId(id: string): string {
  return id.trim().toLowerCase();
}

function parseRates(value: unknown, path: string): Rates {
  const prices = asTable(value, path, "{ input, output } in cents per million tokens");
  const unknownKey = Object.keys(prices).find((key) => !priceKeys.some((priceKey) => priceKey === key));
  if (unknownKey !== undefined)
    throw new Error(`Expected ${path} to have no more than ${priceKeys.join(", ")}, got ${unknownKey}.`);
  const [input, output, cacheRead, cacheWrite] = priceKeys.map((key) => parseRate(prices[key], `${path}.${key}`));
  if (input === undefined || output === undefined)
    throw new Error(`Expected ${path} to have input and output in cents per million tokens.`);
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function parseRate(cents: unknown, path: string): Rate | undefined {
  if (cents === undefined) return undefined;
  if (typeof cents === "number" && cents >= 0 && cents < MAX_CENTS) return { base: toRate(cents / 100), tiers: [] };
  const actual = typeof cents === "string" ? JSON.stringify(cents) : String(cents);
  throw new Error(`Expected ${path} to be cents per million tokens, a number from 0 up, got ${actual}.`);
}

function asTable(value: unknown, path: string, expected: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`Expected ${path} to be ${expected}, got ${JSON.stringify(value)}.`);
  return value as Readonly<Record<string, unknown>>; // an object that is no array has string keys
}
