import { NOVEL } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";
import { found } from "./found.ts";

/** Failures over many tools with nothing new in between. Counts failures; one that is new itself teaches something and counts half. */
export const failingRun: Detector = (sight) => {
  if (!isFailing(sight.newest)) return undefined;
  const evidence: number[] = [];
  let count = 0;
  for (let i = sight.history.length - 1; i >= 0; i--) {
    const each = sight.history[i];
    if (each === undefined || each.isSettled || each.personTurn !== sight.newest.personTurn) break;
    if (isFailing(each)) {
      evidence.unshift(each.index);
      count += each.redundancy < NOVEL ? 0.5 : 1;
    } else if (each.outcome.failure === undefined && each.redundancy < NOVEL && each.kind !== "think" && each.kind !== "wait") break;
  }
  return evidence.length < 2 ? undefined : found("failing-run", sight, { count, evidence, cause: "failures" });
};
