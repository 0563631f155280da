import type { Watcher } from "./detector.ts";

/** Subagents that end stuck, one after the other: their loops are invisible in the calls of the run that starts them. */
export const stuckChild: Watcher<"stuck-child", "child-end"> = {
  name: "stuck-child",
  rungs: { hint: 2, warn: 3, halt: 5 },
  reason: "no_progress",
  on: "child-end",
  notice: ({ subagentTotals }) =>
    subagentTotals.stuck < 1 ? undefined : { cause: "", count: subagentTotals.stuck, advice: "other-task" },
};
