/** Tokens of one request. `input` includes the tokens read from and written to the cache. */
export interface PricedUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour instead of five minutes. */
  readonly cacheWrite1h?: number;
  readonly output: number;
  /** Present for the tokens of several requests, each of which is taken for a small one. */
  readonly isSum?: boolean;
}

/** The size of a request before it is sent, in tokens. */
export interface RequestSize {
  readonly input: number;
  readonly maxOutput: number;
}

/** The price of a million tokens in 10^-12 dollars; a tier applies to requests with more input than `above`. */
export interface Rate {
  readonly base: bigint;
  /** Sorted by `above`. */
  readonly tiers: readonly { readonly above: number; readonly rate: bigint }[];
}

/** A model's prices; undefined when unknown. Cache tokens without a price of their own cost as much as input. */
export interface Rates {
  readonly input?: Rate;
  readonly cacheRead?: Rate;
  readonly cacheWrite?: Rate;
  readonly output?: Rate;
  /** Price per request in 10^-18 dollars. */
  readonly request?: bigint;
}

/** Converts dollars to an integer of 10^-12 dollars, which holds all digits of a price, so that sums are exact. */
export function toRate(usd: number): bigint {
  return BigInt(Math.round(usd * 1e12));
}

/** The cost of a request in nano-dollars, rounded half up once; null when some of its tokens have no price. */
export function costAt(rates: Rates, usage: PricedUsage): number | null {
  const { input, cacheRead, cacheWrite, cacheWrite1h = 0, output, isSum = false } = usage;
  checkTokens("input", input);
  checkTokens("cacheRead", cacheRead);
  checkTokens("cacheWrite", cacheWrite);
  checkTokens("cacheWrite1h", cacheWrite1h);
  checkTokens("output", output);
  if (isUnpriced(rates)) return null;
  const shortWrite = Math.max(0, cacheWrite - cacheWrite1h);
  const size = isSum ? 0 : input;
  return sumNanoUsd(rates, [
    tokenCost(Math.max(0, input - cacheRead - cacheWrite), rateFor(rates.input, size)),
    tokenCost(cacheRead, rateFor(rates.cacheRead ?? rates.input, size)),
    tokenCost(shortWrite, rateFor(rates.cacheWrite ?? rates.input, size)),
    tokenCost(cacheWrite - shortWrite, hourlyRate(rates, size)),
    tokenCost(output, rateFor(rates.output, size)),
  ]);
}

/**
 * Anthropic's price of a token that is written to the cache for an hour: twice that of an input token
 * (platform.claude.com/docs, "Prompt caching", read on 2026-11-16). The price list has the five-minute price only.
 */
function hourlyRate({ input: rate }: Rates, input: number): bigint | undefined {
  const base = rateFor(rate, input);
  return base === undefined ? undefined : base * 2n;
}

/** The maximum cost of a request in nano-dollars, whatever part of it is cached; null when tokens have no price. */
export function maxCostAt(rates: Rates, { input, maxOutput }: RequestSize): number | null {
  checkTokens("input", input);
  checkTokens("maxOutput", maxOutput);
  if (isUnpriced(rates) || (rates.input === undefined && input > 0)) return null;
  const inputRates = [rates.input, rates.cacheRead, rates.cacheWrite].flatMap((rate) => ratesUpTo(rate, input));
  return sumNanoUsd(rates, [
    tokenCost(input, highest(inputRates)),
    tokenCost(maxOutput, highest(ratesUpTo(rates.output, input))),
  ]);
}

function isUnpriced({ input, output }: Rates): boolean {
  return input === undefined && output === undefined;
}

/** 10^-18 dollars, the cost of a token at a rate, per nano-dollar. */
const UNITS_PER_NANO_USD = 1_000_000_000n;

/** In 10^-18 dollars; undefined when the tokens have no price. */
function tokenCost(tokens: number, rate: bigint | undefined): bigint | undefined {
  if (tokens === 0) return 0n;
  return rate === undefined ? undefined : BigInt(tokens) * rate;
}

function sumNanoUsd(rates: Rates, costs: readonly (bigint | undefined)[]): number | null {
  let sum = rates.request ?? 0n;
  for (const cost of costs) {
    if (cost === undefined) return null;
    sum += cost;
  }
  return Number((sum + UNITS_PER_NANO_USD / 2n) / UNITS_PER_NANO_USD);
}

/** The rate of the request's tier, which applies to all of its tokens. */
function rateFor(rate: Rate | undefined, input: number): bigint | undefined {
  return rate?.tiers.findLast(({ above }) => input > above)?.rate ?? rate?.base;
}

/** All rates that a request with at most this much input can have. */
function ratesUpTo(rate: Rate | undefined, input: number): readonly bigint[] {
  if (rate === undefined) return [];
  return [rate.base, ...rate.tiers.filter(({ above }) => input > above).map((tier) => tier.rate)];
}

function highest(rates: readonly bigint[]): bigint | undefined {
  return rates.reduce<bigint | undefined>((max, rate) => (max === undefined || rate > max ? rate : max), undefined);
}

function checkTokens(name: string, tokens: number): void {
  if (!(Number.isSafeInteger(tokens) && tokens >= 0))
    throw new RangeError(`Expected the ${name} tokens of a request to be a whole number from 0 up, got ${tokens}.`);
}
