import { countEqual } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";

/** One tool failing the same way whatever it is asked. Counts failures. */
export const failingTool: Detector<"failing-tool"> = {
  name: "failing-tool",
  rungs: { hint: 4, warn: 6, halt: 10 },
  reason: "tool_failures",
  detect(sight) {
    const { newest } = sight;
    if (!isFailing(newest)) return undefined;
    const seen = countEqual(sight, (pair) => (pair.isFailure && pair.value > 0 ? pair.discount : 0));
    return { ...seen, cause: `${newest.tool} ${newest.outcome.masked}` };
  },
};
