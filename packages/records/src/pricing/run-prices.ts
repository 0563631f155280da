import type { PricedModel } from "./price-list.ts";
import type { Prices } from "./prices.ts";
import type { PricedUsage, RequestSize } from "./rates.ts";

/** A model that a run may use. */
export interface RunModel {
  readonly modelId: string;
  readonly provider: string;
  readonly url?: string;
}

/** Prices by model id, in nano-dollars; null when unknown. */
export interface RunPrices {
  price(modelId: string, usage: PricedUsage): number | null;
  maxPrice(modelId: string, size: RequestSize): number | null;
}

/** The prices of a run's models. When two models have the same id, the first counts. */
export function createRunPrices(prices: Prices, models: readonly RunModel[], now: () => number): RunPrices {
  const pricedModel = (modelId: string): PricedModel => {
    const model = models.find((candidate) => candidate.modelId === modelId);
    return { model: modelId, provider: model?.provider, url: model?.url, at: now() };
  };
  return {
    price: (modelId, usage) => prices.price({ ...pricedModel(modelId), usage }),
    maxPrice: (modelId, { input, maxOutput }) => prices.maxPrice({ ...pricedModel(modelId), input, maxOutput }),
  };
}
