import { levels, limitNames, type Policy } from "@sheepdog/guardian";
import { limitUnits } from "./limit-units.ts";

/** A sentence for each detector that reaches a higher level at a lower count: that level would never come first. */
export function findRungDisorder({ detectors }: Policy): string[] {
  return Object.entries(detectors).flatMap(([name, rungs]) => {
    const ladder = levels.flatMap((level) => (rungs[level] === undefined ? [] : [{ level, rung: rungs[level] }]));
    const fallIndex = ladder.findIndex(({ rung }, index) => rung < (ladder[index - 1]?.rung ?? 0));
    const [lower, higher] = [ladder[fallIndex - 1], ladder[fallIndex]];
    if (lower === undefined || higher === undefined) return [];
    const counts = `${lower.level} is ${lower.rung} and ${higher.level} is ${higher.rung}`;
    return [`detectors.${name}: ${counts}; it must be ${levels.join(" ≤ ")}`];
  });
}

/** A sentence for each limit that would warn only after it has stopped the run. */
export function findLimitDisorder({ limits }: Policy): string[] {
  return limitNames.flatMap((name) => {
    const { warn, stop } = limits[name] ?? {};
    if (warn === undefined || stop === undefined || warn <= stop) return [];
    const { show } = limitUnits[name];
    return [`limits.${name}: warn is ${show(warn)} and stop is ${show(stop)}; it must be warn ≤ stop`];
  });
}
