import type { RuntimeOptions } from "@sheepdog/agent";
import { createPrices } from "@sheepdog/records";

/** The model whose list price the demo uses. */
export const pricedModel = "claude-sonnet-4-5";

/** Prices the requests of the demo as if `pricedModel` had answered them. */
export async function demoPrice(): Promise<NonNullable<RuntimeOptions["price"]>> {
  const prices = await createPrices();
  return (_, usage) => prices.price({ provider: "anthropic", model: pricedModel, at: Date.now(), usage });
}
