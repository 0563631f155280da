import type { RecordedRun, RecordedUsage } from "../trajectory/recorded-run.ts";

/** Sums over model requests. Money in nano-dollars. */
export interface UsageSums {
  readonly requests: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  /** Costs computed from tokens. */
  readonly pricedNanoUsd: number;
  /** Costs that the agent recorded. */
  readonly recordedNanoUsd: number;
  /** Tokens without any cost. */
  readonly unpricedTokens: number;
}

/** What was used of one model. */
export interface ModelUsage extends UsageSums {
  readonly model: string;
}

/** Replies that name no model. */
export const unnamedModel = "unknown model";

/** The usage of each model of a run whose steps have been priced, in the order of their first reply. */
export function modelUsage(run: RecordedRun): readonly ModelUsage[] {
  return sumByModel(
    run.steps.flatMap(({ usage, model = run.model ?? unnamedModel }) =>
      usage === undefined ? [] : [{ model, ...oneRequest(usage) }],
    ),
  );
}

/** Sums for each model, in the order of their first occurrence. */
export function sumByModel(usages: readonly ModelUsage[]): readonly ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const usage of usages) {
    const sum = sums.get(usage.model);
    sums.set(usage.model, sum === undefined ? usage : { model: usage.model, ...added(sum, usage) });
  }
  return [...sums.values()];
}

function oneRequest(usage: RecordedUsage): UsageSums {
  const { inputTokens = 0, outputTokens = 0, costUsd, isPriced = false } = usage;
  const nanoUsd = Math.round((costUsd ?? 0) * 1e9);
  return {
    requests: 1,
    inputTokens,
    cacheReadTokens: usage.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    cacheWrite1hTokens: usage.cacheWrite1hTokens ?? 0,
    outputTokens,
    pricedNanoUsd: isPriced ? nanoUsd : 0,
    recordedNanoUsd: isPriced ? 0 : nanoUsd,
    unpricedTokens: costUsd === undefined ? inputTokens + outputTokens : 0,
  };
}

function added(one: UsageSums, other: UsageSums): UsageSums {
  return {
    requests: one.requests + other.requests,
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWrite1hTokens: one.cacheWrite1hTokens + other.cacheWrite1hTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    pricedNanoUsd: one.pricedNanoUsd + other.pricedNanoUsd,
    recordedNanoUsd: one.recordedNanoUsd + other.recordedNanoUsd,
    unpricedTokens: one.unpricedTokens + other.unpricedTokens,
  };
}
