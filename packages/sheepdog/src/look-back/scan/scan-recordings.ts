import { analysisKey } from "./analysis-version.ts";
import { createEventQueue } from "./event-queue.ts";
import { findFiles } from "./find-files.ts";
import { performScan } from "./perform-scan.ts";
import { createReaderPool } from "./reader-pool.ts";
import { openScanCache } from "./scan-cache.ts";
import type { ScanEvent } from "./scan-event.ts";
import { createScanLog } from "./scan-log.ts";
import type { ScanRequest } from "./scan-request.ts";

const PROGRESS_MS = 100;

/**
 * Finds recordings, reads and analyzes each in threads, and yields what reports need. Model requests that are in
 * several files belong to the file that was created first. All work ends when the iteration ends.
 */
export async function* scanRecordings(request: ScanRequest): AsyncGenerator<ScanEvent> {
  const now = Date.now();
  const events = createEventQueue<ScanEvent>();
  const { places, skipped: unread, files: found } = await findFiles(request);
  const files = found.every(({ isOld }) => isOld) ? [] : found; // old files own nothing of each other's that counts
  const cache = await openScanCache({ path: request.cacheFile, key: await analysisKey(request), now });
  const counted = files.filter((file) => !file.isOld || !cache.has(file));
  const log = createScanLog(request, { places, files: counted }, events.push);
  for (const skipped of unread) log.skip(skipped);
  const unreadBytes = files.reduce((sum, file) => sum + (cache.has(file) ? 0 : file.bytes), 0);
  const pool = createReaderPool(unreadBytes);
  const tellProgress = () => events.push({ type: "progress", progress: log.progress() });
  const ticker = setInterval(tellProgress, PROGRESS_MS); // it keeps the process alive, which the threads do not
  performScan(request, { files, cache, pool, log, now }).then(
    () => events.end(),
    (error: unknown) => events.end(error),
  );
  try {
    tellProgress();
    yield* events;
    yield { type: "progress", progress: log.progress() };
    yield { type: "end", scan: log.scan() };
  } finally {
    clearInterval(ticker);
    pool.close();
    cache.close();
  }
}
