import type { RecordedUsage } from "../trajectory/recorded-run.ts";

/** What a request costs compared with an ordinary one of the same tokens. */
export interface PriceModifiers {
  /** In hundredths: 100 for the ordinary price. */
  readonly percent: number;
  /** Fees besides the tokens. */
  readonly feesNanoUsd: number;
  /** The price of a mode is not published: what it costs more, or less, is not in `percent`. */
  readonly isIncomplete: boolean;
}

/**
 * Fast mode of Claude: a multiple of all token prices of the model (platform.claude.com/docs, "Fast mode" and "Pricing",
 * read on 2026-11-18).
 */
const fastPercents: readonly (readonly [RegExp, number])[] = [
  [/claude-opus-4[-.][67](?!\d)/i, 600],
  [/claude-opus-(?:4[-.]8(?!\d)|5(?!\d))/i, 200],
];

/** Inference in the US only, for the models that can be asked for it (the same page, "Data residency"). */
const US_ONLY_PERCENT = 110;

/** Batch processing (the same page, "Batch processing"). */
const BATCH_PERCENT = 50;

/**
 * Web searches of Anthropic and of OpenAI: 10 dollars for 1,000 (the same page; developers.openai.com/api/docs/pricing,
 * "Tools"). To open a page costs its tokens only.
 */
const WEB_SEARCH_NANO_USD = 10_000_000;

/** The modifiers of a request of this model. Priority tiers are sold by contract, so they have no list price. */
export function priceModifiers(model: string, usage: RecordedUsage): PriceModifiers {
  const { isFast = false, isUsOnly = false, serviceTier, webSearches = 0 } = usage;
  const fastPercent = isFast ? fastPercents.find(([pattern]) => pattern.test(model))?.[1] : 100;
  const usPercent = isUsOnly ? US_ONLY_PERCENT : 100;
  const tierPercent = serviceTier === "batch" ? BATCH_PERCENT : 100;
  return {
    percent: ((fastPercent ?? 100) * usPercent * tierPercent) / 10_000,
    feesNanoUsd: webSearches * WEB_SEARCH_NANO_USD,
    isIncomplete: fastPercent === undefined || serviceTier === "priority",
  };
}
