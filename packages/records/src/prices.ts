import { loadListed, type PricedModel } from "./prices-listed.ts";
import { keyOf, type PriceOverrides, readOverrides } from "./prices-overrides.ts";
import { costAt, mostAt, type PricedUsage, type Rates } from "./prices-rates.ts";

/** What requests cost, in integer nano-dollars; null where nobody knows, and never 0 unless that is the price. */
export interface Prices {
  price(request: PricedModel & { readonly usage: PricedUsage }): number | null;
  /** What a request can cost at most, before it is sent: all of its input at the dearest price that input can have, and all the output it may have. */
  maxPrice(request: PricedModel & { readonly input: number; readonly maxOutput: number }): number | null;
  /** How many tokens a model reads at once, where that is listed. */
  contextWindow(model: PricedModel): number | undefined;
}

/** Listed prices, and before them those that were set. Rejects with a sentence where one that was set cannot be a price. */
export async function createPrices({ overrides }: { readonly overrides?: PriceOverrides } = {}): Promise<Prices> {
  const set = readOverrides(overrides);
  const listed = await loadListed();
  const ratesOf = (model: PricedModel): Rates => setFor(set, model) ?? listed(model)?.rates ?? none;
  return {
    price: (request) => costAt(ratesOf(request), request.usage),
    maxPrice: (request) => mostAt(ratesOf(request), request),
    contextWindow: (model) => listed(model)?.window,
  };
}

const none: Rates = {};

/** A price set for the very id counts before one for the id without its date, and one that names the provider before one that does not. */
function setFor(set: ReadonlyMap<string, Rates>, { model, provider }: PricedModel): Rates | undefined {
  if (set.size === 0) return undefined;
  const id = keyOf(model);
  const providers = provider === undefined ? [] : [keyOf(provider), keyOf(provider).split(".")[0]];
  for (const name of [id, withoutDate(id)])
    for (const key of [...providers.map((one) => `${one}/${name}`), name]) {
      const found = set.get(key);
      if (found !== undefined) return found;
    }
  return undefined;
}

function withoutDate(id: string): string {
  return id.replace(/[-@]20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:-v\d+(?::\d+)?)?$/, "");
}
