import { levels, type Policy } from "@sheepdog/guardian";

/** A sentence for each detector with a louder level on a lower rung: the louder one would have to wait for the quieter. */
export function fallingRungs({ detectors }: Policy): string[] {
  return Object.entries(detectors).flatMap(([name, rungs]) => {
    const climbed = levels.flatMap((level) => (rungs[level] === undefined ? [] : [{ level, rung: rungs[level] }]));
    const fall = climbed.findIndex(({ rung }, place) => rung < (climbed[place - 1]?.rung ?? 0));
    const [below, above] = [climbed[fall - 1], climbed[fall]];
    if (below === undefined || above === undefined) return [];
    return [
      `detectors.${name}: ${below.level} is ${below.rung} and ${above.level} is ${above.rung}; it must be ${levels.join(" ≤ ")}`,
    ];
  });
}
