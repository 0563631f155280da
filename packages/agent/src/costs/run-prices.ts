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

export interface RunPriceOptions {
  readonly clock: Pick<Clock, "now">;
  /** Called once if the caller's price function fails: costs are unknown from then on as far as it fails. */
  onProblem(model: string, problem: string): void;
}

/** The prices of a run's requests: by the caller's function, or by the built-in price list. */
export async function runPrices(
  price: PriceFunction | undefined,
  models: readonly PricedModel[],
  { clock, onProblem }: RunPriceOptions,
): Promise<RunPrices> {
  if (price === undefined) return createRunPrices(await loadPriceList(), models, () => clock.now());
  return checkedPrices(price, onProblem);
}

let priceList: ReturnType<typeof createPrices> | undefined;

/** The price list is long: it is loaded at first use, once. */
function loadPriceList(): ReturnType<typeof createPrices> {
  priceList ??= createPrices();
  return priceList;
}

/** A price function that throws or returns no price makes the cost unknown; the run continues. */
function checkedPrices(price: PriceFunction, onProblem: RunPriceOptions["onProblem"]): RunPrices {
  let hasProblem = false;
  const reportOnce = (model: string, problem: string) => {
    if (!hasProblem) onProblem(model, `${problem} The cost of such requests is recorded as unknown.`);
    hasProblem = true;
    return null;
  };
  const cost = (model: string, usage: Usage): number | null => {
    try {
      const nanoUsd: unknown = price(model, usage);
      if (nanoUsd === null || isWholeAmount(nanoUsd)) return nanoUsd;
      return reportOnce(model, `Expected a price in whole nano-dollars from 0 up, or null, got ${String(nanoUsd)}.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return reportOnce(model, `The price function failed: ${reason}.`);
    }
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

function isWholeAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
