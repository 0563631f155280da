import { NOVEL } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";
import { found } from "./found.ts";

/** Failures over many tools with nothing new in between. Counts failures. */
export const failingRun: Detector = (sight) => {
  if (!isFailing(sight.newest)) return undefined;
  const evidence: number[] = [];
  for (let i = sight.history.length - 1; i >= 0; i--) {
    const each = sight.history[i];
    if (each === undefined || each.isSettled || each.personTurn !== sight.newest.personTurn) break;
    if (isFailing(each)) evidence.unshift(each.index);
    else if (each.outcome.failure === undefined && each.redundancy < NOVEL && each.kind !== "think" && each.kind !== "wait") break;
  }
  return evidence.length < 2 ? undefined : found("failing-run", sight, { count: evidence.length, evidence, cause: "failures" });
};
