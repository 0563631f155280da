import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";
import { found } from "./found.ts";

/** The same or nearly the same call failing the same way. */
export const failingCall: Detector = (sight) => {
  if (!isFailing(sight.newest)) return undefined;
  const seen = countEqual(sight, (pair) => pair.isFailure);
  const alike = countEqual(sight, (pair) => pair.isFailure && pair.likeness !== "other");
  if (alike.count < 2 || alike.count - 1 < (seen.count - 1) / 2) return undefined;
  return found("failing-call", sight, { ...seen, cause: sight.newest.call.loose });
};
