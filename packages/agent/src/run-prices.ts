import { createPrices, pricesOfRun, type RunPrices } from "@sheepdog/records";
import { type Clock, nowOf } from "./clock.ts";
import { keepShape } from "./keep-shape.ts";
import type { Usage } from "./messages.ts";
import type { Model } from "./provider/model.ts";

/** What requests cost: as the caller says, or by the prices that are listed. */
export async function runPrices(
  price: ((model: string, usage: Usage) => number | null) | undefined,
  models: readonly Model[],
  clock: Clock,
): Promise<RunPrices> {
  return price === undefined ? pricesOfRun(await listed(), models, nowOf(clock)) : checked(price);
}

let loading: ReturnType<typeof createPrices> | undefined;

/** The list is long: it is read when it is needed, and once. */
function listed(): ReturnType<typeof createPrices> {
  loading ??= createPrices();
  return loading;
}

function checked(ask: (model: string, usage: Usage) => number | null): RunPrices {
  const price = (model: string, usage: Usage): number | null => {
    const cost = ask(model, usage);
    if (cost !== null && !(Number.isSafeInteger(cost) && cost >= 0))
      throw new Error(`Expected the price of a request in whole nano-dollars from 0 up, or null, got ${cost}.`);
    return cost;
  };
  return {
    price: (model, usage) => price(model, { isEstimated: false, ...usage }),
    worst(model, { input, maxOutput }) {
      const usage: Usage = { input, cacheRead: 0, cacheWrite: 0, output: maxOutput, isEstimated: true };
      const [plain, written] = [price(model, usage), price(model, { ...usage, cacheWrite: input })];
      return plain === null || written === null ? null : Math.max(plain, written);
    },
  };
}

keepShape(pricesOfRun({ price: () => null, worst: () => null, window: () => undefined }, [], () => 0));
