import { dollars } from "../render/terminal/amounts.ts";
import { dottedKey } from "./dotted-key.ts";
import type { SetContext, SettingResult } from "./set-budget.ts";
import { setValues } from "./set-value.ts";
import { usdToCents } from "./usd-to-cents.ts";

/** The price of a model, in dollars per million tokens. */
export interface ModelPrice {
  readonly model: string;
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** Sets the price of a model in the user's configuration. Its prices for cached tokens stay as they are. */
export async function setPrice(
  { model, inputUsd, outputUsd }: ModelPrice,
  { env, home }: Pick<SetContext, "env" | "home">,
): Promise<SettingResult> {
  const keyOf = (name: string) => dottedKey(["budget", "pricing_overrides", model, name]);
  const values = { [keyOf("input")]: usdToCents(inputUsd), [keyOf("output")]: usdToCents(outputUsd) };
  const result = await setValues(home.configFile, values, env);
  if (!result.ok) return result;
  const prices =
    `${dollars(inputUsd)} for a million input tokens and ` + `${dollars(outputUsd)} for a million output tokens`;
  return {
    ok: true,
    text:
      `The price of ${model} is now ${prices} (${home.configFile}). ` +
      "Runs that are already running keep their prices.",
    notes: [],
  };
}
