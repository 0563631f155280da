import type { Policy, Rungs } from "@sheepdog/guardian";

/** The default of `doom_loop_threshold`: the counts of the preset apply. */
const DEFAULT_THRESHOLD = 3;

/** The detectors that count equal calls. */
const countingDetectors: readonly string[] = ["doom-loop", "failing-call", "seed-ryvos"];

/** Moves the hint to the threshold, and the higher levels by the same distance. */
export function withThreshold(detectors: Policy["detectors"], threshold: number): Policy["detectors"] {
  if (threshold === DEFAULT_THRESHOLD) return detectors;
  return Object.fromEntries(
    Object.entries(detectors).map(([name, rungs]) => [
      name,
      countingDetectors.includes(name) ? shiftRungs(rungs, threshold) : rungs,
    ]),
  );
}

/** The lowest count of a repetition. */
const MIN_COUNT = 2;

function shiftRungs(rungs: Rungs, hint: number): Rungs {
  const distance = hint - (rungs.hint ?? hint);
  return Object.fromEntries(
    Object.entries(rungs).map(([level, rung]) => [level, Math.max(MIN_COUNT, rung + distance)]),
  );
}
