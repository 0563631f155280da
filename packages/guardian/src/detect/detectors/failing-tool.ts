import { countEqual } from "../count-equal.ts";
import { NOVEL } from "../discount.ts";
import { isFailing } from "../failing.ts";
import { type Detector, detectionOf } from "./detector.ts";

/** Failures from before the tool's last success count this much. */
const BEFORE_SUCCESS = 0.3;

/** One tool failing the same way whatever its arguments are. Counts failures. */
export const failingTool: Detector<"failing-tool"> = {
  name: "failing-tool",
  reason: "tool_failures",
  detect(comparison) {
    const { newest, history } = comparison;
    if (!isFailing(newest)) return undefined;
    const lastSuccess = history.findLast(
      ({ tool, outcome, redundancy }) => tool === newest.tool && outcome.failure === undefined && redundancy < NOVEL,
    );
    const successIndex = lastSuccess?.index ?? -1;
    const failures = countEqual(comparison, ({ isFailure, value, discount, index }) => {
      if (!isFailure || value === 0) return 0;
      return discount * (index < successIndex ? BEFORE_SUCCESS : 1);
    });
    return detectionOf(`${newest.tool} ${newest.outcome.masked}`, failures);
  },
};
