import { unnamedModel } from "@sheepdog/records";
import { dottedKey } from "../../config/dotted-key.ts";
import type { LookBackTotals } from "../../look-back/look-back-totals.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { shortNumber } from "../../render/terminal/short-number.ts";

/** What has no price, and the command that sets one. */
export interface PriceHint {
  readonly sentence: string;
  readonly command?: string;
}

/** What the command of a hint is for. */
export const priceHintTitle = "To set a price, in cents for a million tokens";

const MAX_NAMED = 3;

/** Says which models have no price: their tokens are in no sum of money. */
export function priceHint({ unpricedModels }: LookBackTotals, program: string): PriceHint | undefined {
  if (unpricedModels.length === 0) return undefined;
  const named = unpricedModels.filter(({ model }) => model !== unnamedModel);
  const shown = unpricedModels
    .slice(0, MAX_NAMED)
    .map(
      ({ model, tokens }) => `${shortNumber(tokens)} tokens of ${model === unnamedModel ? "an unnamed model" : model}`,
    );
  const more = unpricedModels.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const sentence = plainText(`Not in these sums, since the price is not known: ${list}.`);
  const [first] = named;
  if (first === undefined) return { sentence };
  const key = dottedKey(["budget", "pricing_overrides", first.model]);
  return { sentence, command: `${program} config set ${shellWord(key)} '${pricesOf(first.model)}'` };
}

/** Prices to fill in: no numbers, so that nobody takes an example for the price. What is free costs nothing. */
function pricesOf(model: string): string {
  const price = model.endsWith(":free") ? "0" : "CENTS";
  return `{ input = ${price}, output = ${price}, cache_read = ${price} }`;
}
