import type { Prices } from "../pricing/prices.ts";
import type { RecordedRun, RecordedStep, RecordedUsage } from "../trajectory/recorded-run.ts";
import { type StepPrice, usagePrice } from "./usage-price.ts";

/**
 * The run with a cost for each step whose tokens have a price. A cost in the recording stays. Where the model is
 * unknown, the step keeps its tokens without a cost. What a price leaves out is counted in `counting`. `now` is the
 * date of steps without a time.
 */
export function priceRun(run: RecordedRun, prices: Prices, now: number): RecordedRun {
  let pricedAsOrdinary = 0;
  let pricedAsSmall = 0;
  const priced = (step: RecordedStep): RecordedStep => {
    const { usage } = step;
    if (usage === undefined || usage.costUsd !== undefined) return step;
    const model = step.model ?? run.model;
    const price = stepPrice({ model, provider: run.provider, at: step.at ?? now }, usage, prices);
    if (price === null) return step;
    if (price.isOrdinary) pricedAsOrdinary++;
    if (price.isSmall) pricedAsSmall++;
    return { ...step, usage: { ...usage, costUsd: price.nanoUsd / 1e9, isPriced: true } };
  };
  const steps = run.steps.map(priced);
  return { ...run, ...withNotes(run.counting, { pricedAsOrdinary, pricedAsSmall }), steps };
}

function withNotes(
  counting: RecordedRun["counting"],
  notes: NonNullable<RecordedRun["counting"]>,
): Pick<RecordedRun, "counting"> {
  const present = Object.fromEntries(Object.entries(notes).filter(([, count]) => count > 0));
  return Object.keys(present).length === 0 ? {} : { counting: { ...counting, ...present } };
}

/** The model and the time of a request. */
interface Request {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly at: number;
}

function stepPrice({ model, provider, at }: Request, usage: RecordedUsage, prices: Prices): StepPrice | null {
  if (model === undefined) return null;
  return usagePrice(model, usage, (tokens) => prices.price({ model, provider, at, usage: tokens }));
}
