import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { found } from "./found.ts";

/** A call refused by the gate, by permissions or by a person, made again all the same. */
export const denial: Detector = (sight) => {
  if (sight.newest.outcome.status !== "denied") return undefined;
  const seen = countEqual(sight, (pair) => (pair.isFailure ? pair.weight : 0));
  return seen.count < 2 ? undefined : found("denial", sight, { ...seen, cause: sight.newest.tool });
};
