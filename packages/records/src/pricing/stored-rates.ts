import type { Rate, Rates } from "./rates.ts";

/** Rates as JSON: integers that numbers cannot hold are texts. */
export interface StoredRates {
  readonly input?: StoredRate;
  readonly cacheRead?: StoredRate;
  readonly cacheWrite?: StoredRate;
  readonly output?: StoredRate;
  readonly request?: string;
}

interface StoredRate {
  readonly base: string;
  readonly tiers: readonly { readonly above: number; readonly rate: string }[];
}

const parts = ["input", "cacheRead", "cacheWrite", "output"] as const;

export function storeRates(rates: Rates): StoredRates {
  const stored = parts.flatMap((part) => {
    const rate = rates[part];
    return rate === undefined ? [] : [[part, storeRate(rate)] as const];
  });
  return { ...Object.fromEntries(stored), ...(rates.request === undefined ? {} : { request: String(rates.request) }) };
}

function storeRate({ base, tiers }: Rate): StoredRate {
  return { base: String(base), tiers: tiers.map(({ above, rate }) => ({ above, rate: String(rate) })) };
}

export function readRates(stored: StoredRates): Rates {
  const rates = parts.flatMap((part) => {
    const rate = stored[part];
    return rate === undefined ? [] : [[part, readRate(rate)] as const];
  });
  return {
    ...Object.fromEntries(rates),
    ...(stored.request === undefined ? {} : { request: BigInt(stored.request) }),
  };
}

function readRate({ base, tiers }: StoredRate): Rate {
  return { base: BigInt(base), tiers: tiers.map(({ above, rate }) => ({ above, rate: BigInt(rate) })) };
}
