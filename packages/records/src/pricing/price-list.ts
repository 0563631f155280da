import type { ConditionalPrice, calcPrice, findProvider, ModelPrice, PriceOptions } from "@pydantic/genai-prices";
import { type Rate, type Rates, toRate } from "./rates.ts";

/** A model, its provider and the time of the request. */
export interface PricedModel {
  /**
   * The provider's id of the model: `claude-sonnet-4-5-20250929`, `anthropic/claude-sonnet-4.5`,
   * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`.
   */
  readonly model: string;
  /** `anthropic`, `openai`, `openrouter`, or the AI SDK's `anthropic.messages`. Inferred from the model by default. */
  readonly provider?: string | undefined;
  /** The server's URL: identifies the provider when `provider` names only a protocol, as `openai-compatible` does. */
  readonly url?: string | undefined;
  /** Milliseconds since 1970: prices change with the date, and some with the hour. */
  readonly at: number;
}

/** A model's entry in the price list. */
interface Listing {
  readonly rates: Rates;
  /** Tokens the model can read at once, when listed. */
  readonly contextWindow?: number;
  /** The price is the same at all times. */
  readonly isConstant: boolean;
}

/** Looks up a model; undefined when it is not listed. */
export type PriceList = (model: PricedModel) => Listing | undefined;

/** Loads the price list of `@pydantic/genai-prices` (830 kB of source) on demand. Makes no network request. */
export async function loadPriceList(): Promise<PriceList> {
  const library: PriceLibrary = await import("@pydantic/genai-prices");
  return cachedPerMinute((request) => {
    const timestamp = new Date(request.at);
    for (const { id, options } of lookups(library, request)) {
      const listing = findListing(library, id, { ...options, timestamp });
      if (listing !== undefined) return listing;
    }
    return undefined;
  });
}

interface PriceLibrary {
  readonly calcPrice: typeof calcPrice;
  readonly findProvider: typeof findProvider;
}

/**
 * A look-up takes up to 0.4 ms, and a history has hundreds of thousands of requests. Prices that depend on the time
 * change at full minutes only.
 */
function cachedPerMinute(lookUp: PriceList): PriceList {
  const constant = new Map<string, Listing | undefined>();
  const ofMinute = new Map<string, Listing | undefined>();
  let cachedMinute = Number.NaN;
  return (request) => {
    const minute = Math.floor(request.at / 60_000);
    if (minute !== cachedMinute) ofMinute.clear();
    cachedMinute = minute;
    const key = JSON.stringify([request.provider, request.url, request.model]);
    const cached = constant.get(key) ?? ofMinute.get(key);
    if (cached !== undefined || constant.has(key)) return cached;
    const listing = lookUp(request);
    (listing === undefined || listing.isConstant ? constant : ofMinute).set(key, listing);
    return listing;
  };
}

interface Lookup {
  readonly id: string;
  readonly options: PriceOptions;
}

/** Provider names that stand for a protocol and do not say whose server it is. */
export const protocols: ReadonlySet<string> = new Set(["openai-compatible", "ollama", "lmstudio", "vllm"]);

const bedrockId = /^(?:[a-z-]{2,8}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen|writer)\./i;

/** The look-ups to try for a model, in order. */
function lookups({ findProvider }: PriceLibrary, { model, provider, url }: PricedModel): readonly Lookup[] {
  const id = model.trim().replace(/^(?:(?:publishers\/[^/]+\/)?models|litellm_proxy)\//i, ""); // Google's, LiteLLM's
  const [providerId = ""] = (provider ?? "").trim().toLowerCase().split(".");
  if (providerId !== "" && !protocols.has(providerId)) return [{ id, options: { providerId } }];
  if (url !== undefined) {
    const options = { providerApiUrl: url };
    return findProvider(options) === undefined ? [] : [{ id, options }];
  }
  if (providerId !== "") return [];
  const slash = id.indexOf("/");
  return [
    { id, options: {} },
    ...(bedrockId.test(id) ? [{ id, options: { providerId: "aws" } }] : []),
    ...(slash > 0
      ? [
          { id, options: { providerId: "openrouter" } },
          { id: id.slice(slash + 1), options: { providerId: id.slice(0, slash) } },
        ]
      : []),
  ];
}

function findListing({ calcPrice }: PriceLibrary, id: string, options: PriceOptions): Listing | undefined {
  const match = calcPrice({}, id, options); // for the rates; costs are computed in rates.ts with integers
  if (match === null || isLaterVersion(id, match.model.id)) return undefined;
  // OpenRouter marks free models by name and lists no price for them.
  const isFree = Object.keys(match.model_price).length === 0 && id.toLowerCase().endsWith(":free");
  const contextWindow = match.model.context_window;
  return {
    rates: isFree ? { input: freeRate, output: freeRate } : toRates(validPrice(match, options.timestamp)),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    isConstant: !Array.isArray(match.model.prices),
  };
}

/**
 * The price at a time. The library applies prices for hours of the day at every date, although they are listed behind
 * the date from which they are charged: until then, the price before is the one.
 */
function validPrice({ model, model_price }: PriceMatch, timestamp: Date | undefined): ModelPrice {
  if (!Array.isArray(model.prices) || timestamp === undefined) return model_price;
  const future = model.prices.findIndex(
    ({ constraint }) => constraint?.type === "start_date" && Date.parse(constraint.start_date) > timestamp.getTime(),
  );
  if (future < 0) return model_price;
  const begun = model.prices.slice(0, future);
  const isBegun = begun.some(({ prices }) => JSON.stringify(prices) === JSON.stringify(model_price));
  return isBegun ? model_price : (begun.findLast(isAllDay)?.prices ?? model_price);
}

type PriceMatch = NonNullable<ReturnType<typeof calcPrice>>;

function isAllDay({ constraint }: ConditionalPrice): boolean {
  return constraint?.type !== "time_of_date";
}

const freeRate: Rate = { base: 0n, tiers: [] };

/** The library matches ids by prefix: without this check `claude-sonnet-5-5` has the price of `claude-sonnet-5`. */
function isLaterVersion(id: string, listedId: string): boolean {
  if (!id.toLowerCase().startsWith(listedId.toLowerCase())) return false;
  return /^[-.][1-9]\d?(?=$|[-.:@])(?!-\d\d$)/.test(id.slice(listedId.length)); // the last part excludes dates: -05-06
}

function toRates({ input_mtok, cache_read_mtok, cache_write_mtok, output_mtok, requests_kcount }: ModelPrice): Rates {
  return {
    ...(input_mtok === undefined ? {} : { input: toTieredRate(input_mtok) }),
    ...(cache_read_mtok === undefined ? {} : { cacheRead: toTieredRate(cache_read_mtok) }),
    ...(cache_write_mtok === undefined ? {} : { cacheWrite: toTieredRate(cache_write_mtok) }),
    ...(output_mtok === undefined ? {} : { output: toTieredRate(output_mtok) }),
    ...(requests_kcount === undefined ? {} : { request: toTieredRate(requests_kcount).base * 1_000n }),
  };
}

function toTieredRate(price: NonNullable<ModelPrice[string]>): Rate {
  if (typeof price === "number") return { base: toRate(price), tiers: [] };
  const tiers = price.tiers.map(({ start, price: usd }) => ({ above: start, rate: toRate(usd) }));
  return { base: toRate(price.base), tiers: tiers.sort((a, b) => a.above - b.above) };
}
