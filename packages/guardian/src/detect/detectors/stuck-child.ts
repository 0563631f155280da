import type { Watcher } from "./detector.ts";

/** Subagents that end stuck, one after the other. Their own loops are invisible in the calls of the run above them. */
export const stuckChild: Watcher<"stuck-child", "child-end"> = {
  name: "stuck-child",
  reason: "no_progress",
  on: "child-end",
  notice({ subagentTotals: { stuck } }) {
    return stuck < 1 ? undefined : { cause: "", count: stuck, advice: "other-task" };
  },
};
