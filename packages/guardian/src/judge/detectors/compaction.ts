import type { Watcher } from "./detector.ts";

/** Compacting again and again without getting below the context's limit. Counts compactions that did not help. */
export const compaction: Watcher<"compaction", "compacted"> = {
  name: "compaction",
  rungs: { warn: 2, halt: 3 },
  reason: "context_budget",
  on: "compacted",
  notice: ({ compacting }) =>
    compacting.count < 2 ? undefined : { cause: "", count: compacting.count, advice: "finish", isUrgent: true },
};
