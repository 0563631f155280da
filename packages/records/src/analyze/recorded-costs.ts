import type { RecordedStep } from "../trajectory/recorded-run.ts";

/** Nano-dollars a dollar: money is summed in integers. */
const NANO = 1_000_000_000;

/** Dollars as integer nano-dollars. */
export function toNanoUsd(usd: number): number {
  return Math.round(usd * NANO);
}

/** Integer nano-dollars as dollars. */
export function toUsd(nanoUsd: number): number {
  return nanoUsd / NANO;
}

/** What a step cost, where that was recorded. */
export function stepNanoUsd(step: RecordedStep): number | undefined {
  const usd = step.usage?.costUsd;
  return usd === undefined ? undefined : toNanoUsd(usd);
}

/** All tokens of a step. */
export function stepTokens(step: RecordedStep): number {
  return (step.usage?.inputTokens ?? 0) + (step.usage?.outputTokens ?? 0);
}

/** The sum of all recorded costs; null where none is recorded. */
export function runNanoUsd(steps: readonly RecordedStep[]): number | null {
  let sum: number | null = null;
  for (const step of steps) {
    const cost = stepNanoUsd(step);
    if (cost !== undefined) sum = (sum ?? 0) + cost;
  }
  return sum;
}

/** Tokens of the steps that were recorded without a cost. */
export function unpricedTokens(steps: readonly RecordedStep[]): number {
  let tokens = 0;
  for (const step of steps) if (step.usage?.costUsd === undefined) tokens += stepTokens(step);
  return tokens;
}
