import type {
  calcPrice as CalcPrice,
  findProvider as FindProvider,
  ModelPrice,
  PriceOptions,
} from "@pydantic/genai-prices";
import { type Rate, type Rates, toRate } from "./rates.ts";

/** Which model, whose it is, and when it was asked. */
export interface PricedModel {
  /** As the provider calls it: `claude-sonnet-4-5-20250929`, `anthropic/claude-sonnet-4.5`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
  readonly model: string;
  /** `anthropic`, `openai`, `openrouter` …, or as the AI SDK says it: `anthropic.messages`. Without it the model's name tells. */
  readonly provider?: string | undefined;
  /** Where the requests go; it tells whose a model is where the provider is only a way to speak. */
  readonly url?: string | undefined;
  /** Milliseconds since 1970: prices change with the date, and some with the hour. */
  readonly at: number;
}

/** What is listed of a model. */
interface Listing {
  readonly rates: Rates;
  /** How many tokens it reads at once, where that is listed too. */
  readonly window?: number;
}

/** Finds what is listed of a model; undefined where that is nothing. */
export type Listed = (model: PricedModel) => Listing | undefined;

/** Prices as the package lists them. Its data (830 kB of source) is loaded here and not before; nothing is ever fetched. */
export async function loadListed(): Promise<Listed> {
  const { calcPrice, findProvider } = await import("@pydantic/genai-prices");
  return forAMinute((asked) => {
    const model = asked.model.trim().replace(/^(?:publishers\/[^/]+\/)?models\//i, ""); // as Google writes them
    const timestamp = new Date(asked.at);
    for (const [id, options] of places(model, asked, findProvider)) {
      const found = find(calcPrice, id, { ...options, timestamp });
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

/** Looking a model up takes tens of microseconds, and a run asks twice a turn, mostly for the same; prices change at full minutes at most. */
function forAMinute(listed: Listed): Listed {
  const known = new Map<string, Listing | undefined>();
  let minute = Number.NaN;
  let last: { readonly asked: PricedModel; readonly listing: Listing | undefined } | undefined;
  return (asked) => {
    const now = Math.floor(asked.at / 60_000);
    if (now !== minute || known.size > 100) {
      known.clear();
      last = undefined;
    }
    minute = now;
    if (last !== undefined && isSame(last.asked, asked)) return last.listing;
    const key = JSON.stringify([asked.provider, asked.url, asked.model]);
    if (!known.has(key)) known.set(key, listed(asked));
    last = { asked, listing: known.get(key) };
    return last.listing;
  };
}

function isSame(one: PricedModel, other: PricedModel): boolean {
  return one.model === other.model && one.provider === other.provider && one.url === other.url;
}

/** Providers that are a way to speak to a server, and say nothing of whose it is. */
const anybodys: ReadonlySet<string> = new Set(["openai-compatible", "ollama", "lmstudio", "vllm"]);
const ofBedrock = /^(?:[a-z-]{2,8}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen|writer)\./i;

/** Where to look a model up, in order. */
function places(
  model: string,
  { provider, url }: PricedModel,
  findProvider: typeof FindProvider,
): readonly (readonly [id: string, options: PriceOptions])[] {
  const [providerId = ""] = (provider ?? "").trim().toLowerCase().split(".");
  if (providerId !== "" && !anybodys.has(providerId)) return [[model, { providerId }]];
  if (url !== undefined)
    return findProvider({ providerApiUrl: url }) === undefined ? [] : [[model, { providerApiUrl: url }]];
  if (providerId !== "") return [];
  const slash = model.indexOf("/");
  return [
    [model, {}],
    ...(ofBedrock.test(model) ? [[model, { providerId: "aws" }] as const] : []),
    ...(slash > 0
      ? [
          [model, { providerId: "openrouter" }] as const,
          [model.slice(slash + 1), { providerId: model.slice(0, slash) }] as const,
        ]
      : []),
  ];
}

function find(calcPrice: typeof CalcPrice, id: string, options: PriceOptions): Listing | undefined {
  const found = calcPrice({}, id, options); // for the prices it finds; the sums are ours, in integers
  if (found === null || isLaterVersion(id, found.model.id)) return undefined;
  const isFree = Object.keys(found.model_price).length === 0 && id.toLowerCase().endsWith(":free"); // OpenRouter says it with the name
  const window = found.model.context_window;
  return {
    rates: isFree ? { input: free, output: free } : toRates(found.model_price),
    ...(window === undefined ? {} : { window }),
  };
}

const free: Rate = { base: 0n, tiers: [] };

/** Names are matched by how they begin, and a version that came after the list begins like the one before: `claude-sonnet-5-5` is no `claude-sonnet-5`. */
function isLaterVersion(id: string, listed: string): boolean {
  if (!id.toLowerCase().startsWith(listed.toLowerCase())) return false;
  return /^[-.][1-9]\d?(?=$|[-.:@])(?!-\d\d$)/.test(id.slice(listed.length)); // but -05-06 is a date
}

function toRates({ input_mtok, cache_read_mtok, cache_write_mtok, output_mtok, requests_kcount }: ModelPrice): Rates {
  return {
    ...(input_mtok === undefined ? {} : { input: rateOf(input_mtok) }),
    ...(cache_read_mtok === undefined ? {} : { cacheRead: rateOf(cache_read_mtok) }),
    ...(cache_write_mtok === undefined ? {} : { cacheWrite: rateOf(cache_write_mtok) }),
    ...(output_mtok === undefined ? {} : { output: rateOf(output_mtok) }),
    ...(requests_kcount === undefined ? {} : { request: rateOf(requests_kcount).base * 1_000n }),
  };
}

function rateOf(price: NonNullable<ModelPrice[string]>): Rate {
  if (typeof price === "number") return { base: toRate(price), tiers: [] };
  const tiers = price.tiers.map(({ start, price: usd }) => ({ above: start, rate: toRate(usd) }));
  return { base: toRate(price.base), tiers: tiers.sort((one, other) => one.above - other.above) };
}
