import type { RecordedStep } from "../trajectory/recorded-run.ts";

/** Nano-dollars per dollar: money is summed in integers. */
const NANO = 1_000_000_000;

/** Converts dollars to integer nano-dollars. */
export function toNanoUsd(usd: number): number {
  return Math.round(usd * NANO);
}

/** Converts integer nano-dollars to dollars. */
export function toUsd(nanoUsd: number): number {
  return nanoUsd / NANO;
}

/** The cost of a step, undefined when it has none. */
export function stepNanoUsd(step: RecordedStep): number | undefined {
  const usd = step.usage?.costUsd;
  return usd === undefined ? undefined : toNanoUsd(usd);
}

/** All tokens of a step. */
export function stepTokens(step: RecordedStep): number {
  return (step.usage?.inputTokens ?? 0) + (step.usage?.outputTokens ?? 0);
}

/** The sum of all recorded costs; null when none is recorded. */
export function runNanoUsd(steps: readonly RecordedStep[]): number | null {
  const costs = steps.map(stepNanoUsd).filter((cost) => cost !== undefined);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Tokens of the steps without a recorded cost. */
export function unpricedTokens(steps: readonly RecordedStep[]): number {
  return steps.filter((step) => step.usage?.costUsd === undefined).reduce((sum, step) => sum + stepTokens(step), 0);
}

/** The part of an amount that belongs to one of several calls. The parts add up to the amount. */
export function portion(amount: number, count: number, index: number): number {
  return Math.round((amount * (index + 1)) / count) - Math.round((amount * index) / count);
}
