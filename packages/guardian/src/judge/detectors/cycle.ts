import { countEqual, NOVEL } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { found } from "./found.ts";

/** A repeating tail of any period from two calls up, tolerant of noise between and of reordered parallel calls. Counts laps. */
export const cycle: Detector = (sight) => {
  const laps = countEqual(sight, (pair) => (pair.isOutcomeEqual && (pair.likeness === "same" || pair.likeness === "near") ? pair.weight : 0));
  if (laps.count < 2) return undefined;
  const [before] = laps.evidence.slice(-2);
  const lap = sight.history.filter((each) => before !== undefined && each.index > before && each.redundancy >= NOVEL && each.likeness >= 0.9);
  const period = new Set(lap.map((each) => each.call.loose)).size;
  if (period < 2) return undefined;
  const prints = lap.slice(-4).flatMap((each) => [each.call.exact, each.call.loose]);
  return { ...found("cycle", sight, { ...laps, cause: [...new Set(lap.map((each) => each.call.loose))].sort().join() }), period, prints: [...new Set(prints)] };
};
