import type { Watcher } from "./detector.ts";

/** Compacting again and again without getting below the context's limit. Counts compactions that did not help. */
export const compaction: Watcher<"compaction", "compacted"> = {
  name: "compaction",
  reason: "context_budget",
  on: "compacted",
  notice({ compactionStreak: { count } }) {
    return count < 2 ? undefined : { cause: "", count, advice: "finish", isUrgent: true };
  },
};
