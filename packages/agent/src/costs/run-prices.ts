import { createPrices, createRunPrices, type PricedUsage, type RunPrices } from "@sheepdog/records";
import type { Clock } from "../protocol/clock.ts";
import type { Usage } from "../protocol/messages.ts";

/** The price of a request in nano-dollars; null when it is unknown. */
export type PriceFunction = (model: string, usage: Usage) => number | null;

interface PricedModel {
  readonly modelId: string;
  readonly provider: string;
  readonly url?: string;
}

/** The prices of a run's requests: by the caller's function, or by the built-in price list. */
export async function runPrices(
  price: PriceFunction | undefined,
  models: readonly PricedModel[],
  clock: Clock,
): Promise<RunPrices> {
  return price === undefined ? createRunPrices(await loadPriceList(), models, () => clock.now()) : checkedPrices(price);
}

let priceList: ReturnType<typeof createPrices> | undefined;

/** The price list is long: it is loaded at first use, once. */
function loadPriceList(): ReturnType<typeof createPrices> {
  priceList ??= createPrices();
  return priceList;
}

function checkedPrices(price: PriceFunction): RunPrices {
  const cost = (model: string, usage: Usage): number | null => {
    const nanoUsd = price(model, usage);
    if (nanoUsd !== null && !(Number.isSafeInteger(nanoUsd) && nanoUsd >= 0))
      throw new Error(`Expected the price of a request in whole nano-dollars from 0 up, or null, got ${nanoUsd}.`);
    return nanoUsd;
  };
  return {
    price(model, { input, cacheRead, cacheWrite, output, isEstimated = false }: PricedUsage & Partial<Usage>) {
      return cost(model, { input, cacheRead, cacheWrite, output, isEstimated });
    },
    maxPrice(model, { input, maxOutput: output }) {
      const uncached = cost(model, { input, cacheRead: 0, cacheWrite: 0, output, isEstimated: true });
      const cached = cost(model, { input, cacheRead: 0, cacheWrite: input, output, isEstimated: true });
      return uncached === null || cached === null ? null : Math.max(uncached, cached);
    },
  };
}
