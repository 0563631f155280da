import { createPrices, createRunPrices, type PricedUsage, type RunPrices } from "@sheepdog/records";
import { keepShape } from "../async/keep-shape.ts";
import { type Clock, nowOf } from "../protocol/clock.ts";
import type { Usage } from "../protocol/messages.ts";
import type { Model } from "../provider/model.ts";

type Ask = (model: string, usage: Usage) => number | null;

/** What requests cost: as the caller says, or by the prices that are listed. */
export async function runPrices(price: Ask | undefined, models: readonly Model[], clock: Clock): Promise<RunPrices> {
  return price === undefined ? createRunPrices(await listed(), models, nowOf(clock)) : new CheckedPrices(price);
}

let loading: ReturnType<typeof createPrices> | undefined;

/** The list is long: it is read when it is needed, and once. */
function listed(): ReturnType<typeof createPrices> {
  loading ??= createPrices();
  return loading;
}

class CheckedPrices implements RunPrices {
  private readonly ask: Ask;

  constructor(ask: Ask) {
    this.ask = ask;
  }

  price(
    model: string,
    { input, cacheRead, cacheWrite, output, isEstimated = false }: PricedUsage & { readonly isEstimated?: boolean },
  ): number | null {
    return this.cost(model, { input, cacheRead, cacheWrite, output, isEstimated });
  }

  maxPrice(
    model: string,
    { input, maxOutput: output }: { readonly input: number; readonly maxOutput: number },
  ): number | null {
    const plain = this.cost(model, { input, cacheRead: 0, cacheWrite: 0, output, isEstimated: true });
    const written = this.cost(model, { input, cacheRead: 0, cacheWrite: input, output, isEstimated: true });
    return plain === null || written === null ? null : Math.max(plain, written);
  }

  private cost(model: string, usage: Usage): number | null {
    const cost = Reflect.apply(this.ask, undefined, [model, usage]); // as callOut does it
    if (cost !== null && !(Number.isSafeInteger(cost) && cost >= 0))
      throw new Error(`Expected the price of a request in whole nano-dollars from 0 up, or null, got ${cost}.`);
    return cost;
  }
}

keepShape(
  new CheckedPrices(() => null),
  createRunPrices({ price: () => null, maxPrice: () => null, contextWindow: () => undefined }, [], () => 0),
);
