import { priceListName, priceListVersion } from "../../compose/price-list-version.ts";
import { type Check, ok, warn } from "../finding.ts";

/** Finds the version of the price list, which is part of the installation. */
export const pricesCheck: Check = {
  name: "prices",
  async run() {
    const version = priceListVersion();
    if (version === undefined) return [warn("The version of the price list is unknown.", "Install Sheepdog again.")];
    return [ok(`Prices come from [budget.pricing_overrides], then from ${priceListName} ${version}.`)];
  },
};
