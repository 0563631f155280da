import type { Prices } from "../pricing/prices.ts";
import type { RecordedRun, RecordedStep, RecordedUsage } from "../trajectory/recorded-run.ts";

/**
 * The run with a cost for each step whose tokens have a price. A cost in the recording stays. Where the
 * model is unknown, the step keeps its tokens without a cost. `now` is the date of steps without a time.
 */
export function priceRun(run: RecordedRun, prices: Prices, now: number): RecordedRun {
  const priced = (step: RecordedStep): RecordedStep => {
    const { usage } = step;
    if (usage === undefined || usage.costUsd !== undefined) return step;
    const request = { model: step.model ?? run.model, provider: run.provider, at: step.at ?? now };
    const nanoUsd = stepPrice(request, usage, prices);
    return nanoUsd === null ? step : { ...step, usage: { ...usage, costUsd: nanoUsd / 1e9, isPriced: true } };
  };
  return { ...run, steps: run.steps.map(priced) };
}

/** The model and the time of a request. */
interface Request {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly at: number;
}

function stepPrice({ model, provider, at }: Request, usage: RecordedUsage, prices: Prices): number | null {
  if (model === undefined) return null;
  const {
    inputTokens = 0,
    cacheReadTokens = 0,
    cacheWriteTokens = 0,
    cacheWrite1hTokens = 0,
    outputTokens = 0,
  } = usage;
  if (inputTokens + outputTokens === 0) return null;
  return prices.price({
    model,
    provider,
    at,
    usage: {
      input: Math.max(inputTokens, cacheReadTokens + cacheWriteTokens),
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
      cacheWrite1h: Math.min(cacheWrite1hTokens, cacheWriteTokens),
      output: outputTokens,
    },
  });
}
