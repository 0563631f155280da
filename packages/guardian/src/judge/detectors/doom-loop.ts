import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { found } from "./found.ts";

/** The same or nearly the same call with the same outcome. */
export const doomLoop: Detector = (sight) => {
  if (sight.newest.outcome.failure !== undefined) return undefined;
  const seen = countEqual(sight, (pair) => (pair.likeness === "other" ? 0 : pair.weight));
  return seen.count < 2 ? undefined : found("doom-loop", sight, { ...seen, cause: sight.newest.call.loose });
};
