import type { Policy } from "@sheepdog/guardian";
import { analyze } from "./analyze.ts";
import type { ReadItem } from "../readers/read-item.ts";
import type { RunReport, Skipped, Totals } from "./report.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { createTally } from "./totals.ts";

const SKIPPED_KEPT = 100;

/** A run with its report, or something that could not be read. */
export type Analyzed =
  | { readonly type: "run"; readonly report: RunReport; readonly run: RecordedRun }
  | { readonly type: "skipped"; readonly skipped: Skipped };

/** Reports as they come, to be gone through once, with sums over all that have come so far. */
export interface Analysis extends AsyncIterable<Analyzed> {
  readonly totals: Totals;
  /** The first hundred; `skippedCount` counts all. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}

/** Looks back over many runs, holding one at a time. */
export function analyzeAll(items: AsyncIterable<ReadItem>, policy: Policy): Analysis {
  const tally = createTally();
  const skipped: Skipped[] = [];
  let skippedCount = 0;

  async function* each(): AsyncGenerator<Analyzed> {
    for await (const item of items) {
      if (item.type === "run") {
        const report = analyze(item.run, policy);
        tally.add(report);
        yield { type: "run", report, run: item.run };
        continue;
      }
      skippedCount++;
      if (skipped.length < SKIPPED_KEPT) skipped.push(item.skipped);
      yield item;
    }
  }

  return {
    [Symbol.asyncIterator]: each,
    get totals() {
      return tally.totals();
    },
    skipped,
    get skippedCount() {
      return skippedCount;
    },
  };
}
