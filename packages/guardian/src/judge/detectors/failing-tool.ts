import { countEqual, NOVEL } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";
import { isFailing } from "./failing.ts";

/** One tool failing the same way whatever it is asked; what it brought since then speaks for it. Counts failures. */
export const failingTool: Detector<"failing-tool"> = {
  name: "failing-tool",
  rungs: { hint: 4, warn: 6, halt: 10 },
  reason: "tool_failures",
  detect(sight) {
    const { newest } = sight;
    if (!isFailing(newest)) return undefined;
    const worked =
      sight.history.findLast(
        (each) => each.tool === newest.tool && each.outcome.failure === undefined && each.redundancy < NOVEL,
      )?.index ?? -1;
    const seen = countEqual(sight, (pair) =>
      pair.isFailure && pair.value > 0 ? pair.discount * (pair.index < worked ? 0.3 : 1) : 0,
    );
    return seenOf(`${newest.tool} ${newest.outcome.masked}`, seen);
  },
};
