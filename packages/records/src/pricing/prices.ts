import { modelSize } from "./model-sizes.ts";
import { loadPriceList, type PricedModel } from "./price-list.ts";
import { normalizedId, type PriceOverrides, parsePriceOverrides } from "./price-overrides.ts";
import { costAt, maxCostAt, type PricedUsage, type Rates, type RequestSize } from "./rates.ts";

/** Prices of requests in integer nano-dollars; null when the price is unknown, 0 only when the model is free. */
export interface Prices {
  price(request: PricedModel & { readonly usage: PricedUsage }): number | null;
  /** The maximum a request of this size can cost: all input at its highest price, and all output it may have. */
  maxPrice(request: PricedModel & RequestSize): number | null;
  /** The prices behind `price`, to be stored; empty when they are unknown. */
  rates(model: PricedModel): Rates;
  /** The model's context window in tokens, by the table of model sizes or by the price list, when it is listed. */
  contextWindow(model: PricedModel): number | undefined;
}

/** Loads the built-in price list; overrides take precedence. Rejects when an override is no valid price. */
export async function createPrices(options: { readonly overrides?: PriceOverrides } = {}): Promise<Prices> {
  const overriddenRates = parsePriceOverrides(options.overrides);
  const listing = await loadPriceList();
  const ratesOf = (model: PricedModel): Rates =>
    findOverride(overriddenRates, model) ?? listing(model)?.rates ?? unknownRates;
  return {
    price: (request) => costAt(ratesOf(request), request.usage),
    maxPrice: (request) => maxCostAt(ratesOf(request), request),
    rates: ratesOf,
    contextWindow: (model) => modelSize(model.model)?.window ?? listing(model)?.contextWindow,
  };
}

const unknownRates: Rates = {};

/** Order of precedence: the exact id before the id without its date, a key with the provider before one without. */
function findOverride(overrides: ReadonlyMap<string, Rates>, { model, provider }: PricedModel): Rates | undefined {
  const id = normalizedId(model);
  const providers = provider === undefined ? [] : providerNames(normalizedId(provider));
  const keys = [id, withoutDate(id)].flatMap((name) => [...providers.map((prefix) => `${prefix}/${name}`), name]);
  const matchingKey = keys.find((key) => overrides.has(key));
  return matchingKey === undefined ? undefined : overrides.get(matchingKey);
}

/** The names that users know a provider of the AI SDK by: `openai.chat` is `openai-chat` and `openai`. */
function providerNames(provider: string): readonly string[] {
  return [provider, provider.replace(".", "-"), provider.split(".")[0] ?? provider];
}

function withoutDate(id: string): string {
  return id.replace(/[-@]20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:-v\d+(?::\d+)?)?$/, "");
}
