/** Tokens of one request. `input` holds cached and written ones as well. */
export interface PricedUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** What a million tokens cost, in dollars / 10^12, and what they cost in a request with more input tokens than `above`. */
export interface Rate {
  readonly base: bigint;
  readonly tiers: readonly { readonly above: number; readonly rate: bigint }[];
}

/** The prices of a model; absent where there is none. Cached and written tokens without a price of their own are input. */
export interface Rates {
  readonly input?: Rate;
  readonly cacheRead?: Rate;
  readonly cacheWrite?: Rate;
  readonly output?: Rate;
  /** For each request, in dollars / 10^18. */
  readonly request?: bigint;
}

/** From dollars / 10^18, which a token at a rate is, to nano-dollars. */
const NANO = 1_000_000_000n;

/** A price in dollars as an integer of dollars / 10^12: all digits of a price, so that sums are exact. */
export function toRate(usd: number): bigint {
  return BigInt(Math.round(usd * 1e12));
}

/** What a request cost in nano-dollars, rounded half up once; null where tokens of it have no price. */
export function costAt(rates: Rates, usage: PricedUsage): number | null {
  check(usage);
  const { input, cacheRead, cacheWrite, output } = usage;
  const plain = Math.max(0, input - cacheRead - cacheWrite);
  return sum(rates, [
    [plain, rateFor(rates.input, input)],
    [cacheRead, rateFor(rates.cacheRead ?? rates.input, input)],
    [cacheWrite, rateFor(rates.cacheWrite ?? rates.input, input)],
    [output, rateFor(rates.output, input)],
  ]);
}

/** What a request of that size costs at most, however much of it is cached or written; null where tokens of it have no price. */
export function mostAt(rates: Rates, { input, maxOutput }: { readonly input: number; readonly maxOutput: number }): number | null {
  check({ input, maxOutput });
  if (rates.input === undefined && input > 0) return null;
  const dearest = highest([rates.input, rates.cacheRead, rates.cacheWrite].flatMap((rate) => highestUpTo(rate, input) ?? []));
  return sum(rates, [
    [input, dearest],
    [maxOutput, highestUpTo(rates.output, input)],
  ]);
}

function sum({ input, output, request = 0n }: Rates, parts: readonly (readonly [tokens: number, rate: bigint | undefined])[]): number | null {
  if (input === undefined && output === undefined) return null;
  let total = request;
  for (const [tokens, rate] of parts) {
    if (tokens === 0) continue;
    if (rate === undefined) return null;
    total += BigInt(tokens) * rate;
  }
  return Number((total + NANO / 2n) / NANO);
}

/** All tokens of a request have the price of its tier. */
function rateFor(rate: Rate | undefined, input: number): bigint | undefined {
  return rate?.tiers.findLast(({ above }) => input > above)?.rate ?? rate?.base;
}

/** The highest price that a request with at most so much input can have. */
function highestUpTo(rate: Rate | undefined, input: number): bigint | undefined {
  if (rate === undefined) return undefined;
  return highest([rate.base, ...rate.tiers.flatMap((tier) => (input > tier.above ? [tier.rate] : []))]);
}

function highest(rates: readonly bigint[]): bigint | undefined {
  return rates.reduce<bigint | undefined>((most, rate) => (most === undefined || rate > most ? rate : most), undefined);
}

function check(counts: object): void {
  for (const [name, tokens] of Object.entries(counts))
    if (typeof tokens === "number" && !(Number.isSafeInteger(tokens) && tokens >= 0))
      throw new RangeError(`Expected the ${name} tokens of a request to be a whole number from 0 up, got ${tokens}.`);
}
