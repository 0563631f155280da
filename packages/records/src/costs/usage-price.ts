import type { PricedUsage } from "../pricing/rates.ts";
import type { RecordedUsage } from "../trajectory/recorded-run.ts";
import { priceModifiers } from "./price-modifiers.ts";

/** A price, and what is not in it. */
export interface StepPrice {
  readonly nanoUsd: number;
  /** Without the unknown price of a mode. */
  readonly isOrdinary: boolean;
  /** Without what large requests cost more. */
  readonly isSmall: boolean;
}

/** The price of a request, or of several; null if that of its tokens is unknown. */
export function usagePrice(
  model: string,
  usage: RecordedUsage,
  priceTokens: (tokens: PricedUsage) => number | null,
): StepPrice | null {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage;
  const { outputTokens = 0, isSum = false } = usage;
  if (inputTokens + outputTokens === 0) return null;
  const tokens = {
    input: Math.max(inputTokens, cacheReadTokens + cacheWriteTokens),
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    cacheWrite1h: Math.min(cacheWrite1hTokens, cacheWriteTokens),
    output: outputTokens,
  };
  if (!Object.values(tokens).every(Number.isSafeInteger)) return null;
  const tokensNanoUsd = priceTokens({ ...tokens, isSum });
  if (tokensNanoUsd === null) return null;
  const { percent, feesNanoUsd, isIncomplete } = priceModifiers(model, usage);
  return {
    nanoUsd: Math.round((tokensNanoUsd * percent) / 100) + feesNanoUsd,
    isOrdinary: isIncomplete,
    isSmall: isSum && priceTokens(tokens) !== tokensNanoUsd,
  };
}
