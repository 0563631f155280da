import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";
import { found } from "./found.ts";

/** One tool failing the same way whatever it is asked. Counts failures. */
export const failingTool: Detector = (sight) => {
  if (!isFailing(sight.newest)) return undefined;
  const seen = countEqual(sight, (pair) => (pair.isFailure && pair.value > 0 ? pair.discount : 0));
  return seen.count < 2 ? undefined : found("failing-tool", sight, { ...seen, cause: `${sight.newest.tool} ${sight.newest.outcome.masked}` });
};
