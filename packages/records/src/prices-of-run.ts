import type { Prices } from "./prices.ts";
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
  maxPrice(model: string, size: { readonly input: number; readonly maxOutput: number }): number | null;
}

/** The prices of the models that a run may use. Whose a model is, is known by its id; where two of them have the same, the first counts. */
export function createRunPrices(prices: Prices, models: readonly RunModel[], now: () => number): RunPrices {
  return new KnownModels(prices, models, now);
}

class KnownModels implements RunPrices {
  private readonly prices: Prices;
  private readonly models: ReadonlyMap<string, RunModel>;
  private readonly now: () => number;

  constructor(prices: Prices, models: readonly RunModel[], now: () => number) {
    this.prices = prices;
    this.models = new Map([...models].reverse().map((model) => [model.modelId, model]));
    this.now = now;
  }

  price(model: string, usage: PricedUsage): number | null {
    const known = this.models.get(model);
    return this.prices.price({ model, provider: known?.provider, url: known?.url, at: this.now(), usage });
  }

  maxPrice(model: string, { input, maxOutput }: { readonly input: number; readonly maxOutput: number }): number | null {
    const known = this.models.get(model);
    return this.prices.maxPrice({
      model,
      provider: known?.provider,
      url: known?.url,
      at: this.now(),
      input,
      maxOutput,
    });
  }
}
