import { createPrices, type PriceOverrides, type Prices } from "@sheepdog/records";

/** The prices of a model in dollars per million tokens; null if they are unknown. */
export interface ModelPrice {
  readonly inputUsd: number | null;
  readonly outputUsd: number | null;
}

/** So few that no tier for long requests applies. */
const TOKENS = 1_000;

/** Prices by model id, from the built-in list and the configuration. */
export async function modelPrices(
  overrides: PriceOverrides | undefined,
  now: number,
): Promise<(model: string) => ModelPrice> {
  const prices = await readPrices(overrides);
  const perMillion = (model: string, usage: { readonly input: number; readonly output: number }) => {
    const nanoUsd = prices?.price({ model, at: now, usage: { ...usage, cacheRead: 0, cacheWrite: 0 } }) ?? null;
    return nanoUsd === null ? null : nanoUsd / 1e9 / (TOKENS / 1e6);
  };
  return (model) => ({
    inputUsd: perMillion(model, { input: TOKENS, output: 0 }),
    outputUsd: perMillion(model, { input: 0, output: TOKENS }),
  });
}

async function readPrices(overrides: PriceOverrides | undefined): Promise<Prices | undefined> {
  try {
    return await createPrices(overrides === undefined ? {} : { overrides });
  } catch {
    return overrides === undefined ? undefined : await readPrices(undefined); // the settings page reports the problem
  }
}
