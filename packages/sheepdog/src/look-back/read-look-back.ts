import type { Policy } from "@sheepdog/guardian";
import { type FindOpinion, type Prices, priceRun, type ReadItem } from "@sheepdog/records";
import { lookBackRun } from "./analyze-run.ts";
import type { ScanEvent } from "./scan/scan-event.ts";

/** How runs are judged and priced. */
export interface ReadRequest {
  readonly policy: Policy;
  readonly prices: Prices;
  /** The date of steps without a time. */
  readonly now: number;
  readonly findOpinion?: FindOpinion;
}

/** Analyzes runs of `ownItems` one after the other as they are read, as for a stream: nothing is cached. */
export async function* readLookBack(
  items: AsyncIterable<ReadItem>,
  { policy, prices, now, findOpinion }: ReadRequest,
): AsyncGenerator<ScanEvent> {
  const startedAt = Date.now();
  const idCounts = new Map<string, number>();
  const files = new Map<string, number>();
  const skipped: Extract<ScanEvent, { readonly type: "skipped" }>["skipped"][] = [];
  let skippedCount = 0;
  for await (const item of items) {
    if (item.type === "skipped") {
      skippedCount += item.skipped.lines ?? 1;
      if (skipped.length < MAX_SKIPPED) skipped.push(item.skipped);
      yield item;
      continue;
    }
    const { file, line, run } = item;
    const key = JSON.stringify([file, run.id]);
    const sameIds = idCounts.get(key) ?? 0;
    idCounts.set(key, sameIds + 1);
    files.set(file, (files.get(file) ?? 0) + 1);
    const priced = priceRun(run, prices, now);
    const place = { file, line, sameIds, policy, ...(findOpinion === undefined ? {} : { findOpinion }) };
    yield { type: "run", run: lookBackRun(priced, place) };
  }
  const places = [...files].map(([path, runs]) => ({ agent: null, path, files: 1, runs }));
  const ms = Date.now() - startedAt;
  yield {
    type: "end",
    scan: { places, files: files.size, bytes: 0, cachedFiles: 0, ms, skipped, skippedCount },
  };
}

const MAX_SKIPPED = 100;
