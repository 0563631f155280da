import { isNews, NOVEL } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { isFailing } from "./failing.ts";

/** Failures over many tools with nothing new in between. Counts failures; one that is new itself teaches something and counts half. */
export const failingRun: Detector<"failing-run"> = {
  name: "failing-run",
  rungs: { warn: 8, halt: 14 },
  reason: "tool_failures",
  detect({ newest, history }) {
    if (!isFailing(newest)) return undefined;
    const evidence: number[] = [];
    let count = 0;
    for (const each of history.toReversed()) {
      if (each.isSettled || each.personTurn !== newest.personTurn || isNews(each)) break;
      if (!isFailing(each)) continue;
      evidence.unshift(each.index);
      count += each.redundancy < NOVEL ? 0.5 : 1;
    }
    return { count, evidence, cause: "failures" };
  },
};
