import { type Rate, type Rates, toRate } from "./rates.ts";

/** Prices that somebody has set, in cents per million tokens. Cached and written tokens cost as much as input where nothing is said of them. */
export interface PriceOverride {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

/** By `model-id` or `provider/model-id`. */
export type PriceOverrides = Readonly<Record<string, PriceOverride>>;

const names = ["input", "output", "cache_read", "cache_write"] as const;
/** No model costs as much: a million dollars a million tokens is a slip of the finger. */
const ABSURD_CENTS = 100_000_000;

/** Overrides by their key, checked. Throws a sentence that names the key that is wrong. */
export function readOverrides(overrides: unknown): ReadonlyMap<string, Rates> {
  if (overrides === undefined) return new Map();
  const all = asTable(
    overrides,
    "pricing_overrides",
    'prices by model, such as "model-id" = { input = 300, output = 1500 }',
  );
  return new Map(Object.entries(all).map(([key, value]) => [keyOf(key), ratesOf(value, `pricing_overrides."${key}"`)]));
}

/** Ids are compared as the providers do: without regard to case. */
export function keyOf(id: string): string {
  return id.trim().toLowerCase();
}

function ratesOf(value: unknown, path: string): Rates {
  const prices = asTable(value, path, "{ input, output } in cents per million tokens");
  const unknown = Object.keys(prices).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(`Expected ${path} to have no more than ${names.join(", ")}, got ${unknown}.`);
  const [input, output, cacheRead, cacheWrite] = names.map((name) => rateOf(prices[name], `${path}.${name}`));
  if (input === undefined || output === undefined)
    throw new Error(`Expected ${path} to have input and output in cents per million tokens.`);
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function rateOf(cents: unknown, path: string): Rate | undefined {
  if (cents === undefined) return undefined;
  if (typeof cents === "number" && cents >= 0 && cents < ABSURD_CENTS) return { base: toRate(cents / 100), tiers: [] };
  const got = typeof cents === "string" ? JSON.stringify(cents) : String(cents);
  throw new Error(`Expected ${path} to be cents per million tokens, a number from 0 up, got ${got}.`);
}

function asTable(value: unknown, path: string, expected: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`Expected ${path} to be ${expected}, got ${JSON.stringify(value)}.`);
  return value as Readonly<Record<string, unknown>>; // an object that is no array: every key can be asked for
}
