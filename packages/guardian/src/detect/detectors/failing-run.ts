import type { Observation } from "../../state/observation.ts";
import { countEqual, thirdPass } from "../count-equal.ts";
import { isNews, NOVEL } from "../discount.ts";
import { failureWeight, isFailing } from "../failing.ts";
import type { Detector } from "./detector.ts";

/**
 * Failures of many tools with nothing new in between. Counts failures; a new failure teaches something and counts
 * half.
 */
export const failingRun: Detector<"failing-run"> = {
  name: "failing-run",
  reason: "tool_failures",
  detect(comparison) {
    const { newest, history } = comparison;
    if (!isFailing(newest)) return undefined;
    const isBoundary = (call: Observation) =>
      call.isSettled === true || call.personTurn !== newest.personTurn || isNews(call);
    const failures = history.slice(history.findLastIndex(isBoundary) + 1).filter(isFailing);
    const count = failures.reduce((sum, { redundancy }) => sum + (redundancy < NOVEL ? 0.5 : 1), 0);
    const { exactCount } = countEqual(comparison, failureWeight);
    return {
      count,
      exactCount: thirdPass(count, exactCount),
      evidence: failures.map(({ index }) => index),
      cause: "failures",
    };
  },
};
