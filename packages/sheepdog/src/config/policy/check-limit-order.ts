import { limitNames, type Policy } from "@sheepdog/guardian";
import { limitUnits } from "./units.ts";

/** A sentence for each limit that would warn only after it has stopped the run. */
export function fallingLimits({ limits }: Policy): string[] {
  return limitNames.flatMap((name) => {
    const { warn, stop } = limits[name] ?? {};
    if (warn === undefined || stop === undefined || warn <= stop) return [];
    const { show } = limitUnits[name];
    return [`limits.${name}: warn is ${show(warn)} and stop is ${show(stop)}; it must be warn ≤ stop`];
  });
}
