import type { ScanEvent } from "./scan-event.ts";
import type { ScanRequest } from "./scan-request.ts";

/**
 * Finds recordings, reads and analyzes each in threads, and yields what reports need. Model requests that are in
 * several files belong to the file that was created first. Ends all work when the iteration ends.
 */
export async function* scanRecordings(_request: ScanRequest): AsyncGenerator<ScanEvent> {
  yield {
    type: "end",
    scan: { places: [], files: 0, bytes: 0, cachedFiles: 0, ms: 0, skipped: [], skippedCount: 0 },
  };
}
