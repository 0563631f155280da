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
export function costAt(rates: Rates, { input, cacheRead, cacheWrite, output }: PricedUsage): number | null {
  check("input", input);
  check("cacheRead", cacheRead);
  check("cacheWrite", cacheWrite);
  check("output", output);
  if (isUnpriced(rates)) return null;
  const plain = costOf(Math.max(0, input - cacheRead - cacheWrite), rateFor(rates.input, input));
  const read = costOf(cacheRead, rateFor(rates.cacheRead ?? rates.input, input));
  const written = costOf(cacheWrite, rateFor(rates.cacheWrite ?? rates.input, input));
  const said = costOf(output, rateFor(rates.output, input));
  if (plain === undefined || read === undefined || written === undefined || said === undefined) return null;
  return toNano((rates.request ?? 0n) + plain + read + written + said);
}

/** What a request of that size costs at most, however much of it is cached or written; null where tokens of it have no price. */
export function mostAt(
  rates: Rates,
  { input, maxOutput }: { readonly input: number; readonly maxOutput: number },
): number | null {
  check("input", input);
  check("maxOutput", maxOutput);
  if (isUnpriced(rates) || (rates.input === undefined && input > 0)) return null;
  const dearest = higher(
    highestUpTo(rates.input, input),
    higher(highestUpTo(rates.cacheRead, input), highestUpTo(rates.cacheWrite, input)),
  );
  const heard = costOf(input, dearest);
  const said = costOf(maxOutput, highestUpTo(rates.output, input));
  if (heard === undefined || said === undefined) return null;
  return toNano((rates.request ?? 0n) + heard + said);
}

function isUnpriced({ input, output }: Rates): boolean {
  return input === undefined && output === undefined;
}

/** In dollars / 10^18; undefined where tokens have no price. */
function costOf(tokens: number, rate: bigint | undefined): bigint | undefined {
  if (tokens === 0) return 0n;
  return rate === undefined ? undefined : BigInt(tokens) * rate;
}

function toNano(cost: bigint): number {
  return Number((cost + NANO / 2n) / NANO);
}

/** All tokens of a request have the price of its tier. */
function rateFor(rate: Rate | undefined, input: number): bigint | undefined {
  let found = rate?.base;
  if (rate !== undefined) for (const tier of rate.tiers) if (input > tier.above) found = tier.rate; // the highest comes last
  return found;
}

/** The highest price that a request with at most so much input can have. */
function highestUpTo(rate: Rate | undefined, input: number): bigint | undefined {
  let highest = rate?.base;
  if (rate !== undefined) for (const tier of rate.tiers) if (input > tier.above) highest = higher(highest, tier.rate);
  return highest;
}

function higher(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function check(name: string, tokens: number): void {
  if (!(Number.isSafeInteger(tokens) && tokens >= 0))
    throw new RangeError(`Expected the ${name} tokens of a request to be a whole number from 0 up, got ${tokens}.`);
}
