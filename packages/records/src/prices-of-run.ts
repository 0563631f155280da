import type { Prices } from "./prices.ts";
import type { PricedModel } from "./prices-listed.ts";
import type { PricedUsage } from "./prices-rates.ts";

/** A model as a run has it. */
export interface RunModel {
  readonly modelId: string;
  readonly provider: string;
  readonly url?: string;
}

/** Prices by the model's id alone, as a run asks for them. */
export interface RunPrices {
  price(model: string, usage: PricedUsage): number | null;
  worst(model: string, size: { readonly input: number; readonly maxOutput: number }): number | null;
}

/** The prices of the models that a run may use. Whose a model is, is known by its id; where two of them have the same, the first counts. */
export function pricesOfRun(prices: Prices, models: readonly RunModel[], now: () => number): RunPrices {
  const known = new Map([...models].reverse().map((model) => [model.modelId, model]));
  const asked = (modelId: string): PricedModel => {
    const { provider, url } = known.get(modelId) ?? {};
    return { model: modelId, at: now(), ...(provider === undefined ? {} : { provider }), ...(url === undefined ? {} : { url }) };
  };
  return {
    price: (modelId, usage) => prices.price({ ...asked(modelId), usage }),
    worst: (modelId, size) => prices.worst({ ...asked(modelId), ...size }),
  };
}
