import type { LookBack, Scan } from "./look-back.ts";
import type { LookBackRun } from "./look-back-run.ts";
import type { ScanEvent } from "./scan/scan-event.ts";
import { withSubagentCosts } from "./subagent-costs.ts";
import { uniqueRuns } from "./unique-runs.ts";

const MAX_SKIPPED = 100;

/** Collects what one or several scans find, newest run first. `onEvent` sees each event as it comes. */
export async function collectLookBack(
  scans: readonly AsyncIterable<ScanEvent>[],
  onEvent: (event: ScanEvent) => Promise<void> | void = () => {},
): Promise<LookBack> {
  const runs: LookBackRun[] = [];
  let scan: Scan = { places: [], files: 0, bytes: 0, cachedFiles: 0, ms: 0, skipped: [], skippedCount: 0 };
  for (const events of scans)
    for await (const event of events) {
      await onEvent(event);
      if (event.type === "run") runs.push(event.run);
      if (event.type === "end") scan = added(scan, event.scan);
    }
  const time = ({ endedAt, startedAt }: LookBackRun) => endedAt ?? startedAt ?? 0;
  return { ...withSubagentCosts(uniqueRuns(runs).toSorted((a, b) => time(b) - time(a))), scan };
}

function added(one: Scan, other: Scan): Scan {
  return {
    places: [...one.places, ...other.places],
    files: one.files + other.files,
    bytes: one.bytes + other.bytes,
    cachedFiles: one.cachedFiles + other.cachedFiles,
    ms: one.ms + other.ms,
    skipped: [...one.skipped, ...other.skipped].slice(0, MAX_SKIPPED),
    skippedCount: one.skippedCount + other.skippedCount,
  };
}
