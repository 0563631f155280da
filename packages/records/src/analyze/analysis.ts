import type { Policy } from "@sheepdog/guardian";
import type { ReadItem, Skipped, SkippedItem } from "../readers/read-item.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { analyze } from "./analyze.ts";
import type { FindOpinion } from "./question.ts";
import type { RunReport, Totals } from "./report.ts";
import { createTotals } from "./totals.ts";

const MAX_SKIPPED = 100;

/** A run with its report, or a line or file that could not be read. */
export type Analyzed = { readonly type: "run"; readonly report: RunReport; readonly run: RecordedRun } | SkippedItem;

/** Reports in the order of the recordings, to be iterated once, with totals of the runs so far. */
export interface Analysis extends AsyncIterable<Analyzed> {
  readonly totals: Totals;
  /** The first hundred; `skippedCount` counts all. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

/** Analyzes many runs and holds one at a time in memory. `findOpinion` as for `analyze`. */
export function analyzeAll(items: AsyncIterable<ReadItem>, policy: Policy, findOpinion?: FindOpinion): Analysis {
  const totals = createTotals();
  const skipped: Skipped[] = [];
  let skippedCount = 0;

  async function* analyzeItems(): AsyncGenerator<Analyzed> {
    for await (const item of items) {
      if (item.type === "run") {
        const report = analyze(item.run, policy, findOpinion);
        totals.add(report);
        yield { type: "run", report, run: item.run };
        continue;
      }
      skippedCount++;
      if (skipped.length < MAX_SKIPPED) skipped.push(item.skipped);
      yield item;
    }
  }

  return {
    [Symbol.asyncIterator]: analyzeItems,
    get totals() {
      return totals.current();
    },
    skipped,
    get skippedCount() {
      return skippedCount;
    },
  };
}
