import type { Stores } from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import { ownSource } from "../recordings/saved-run-recording.ts";
import { agentLabel } from "./agent-label.ts";
import { lookBackRun } from "./analyze-run.ts";
import { hasRuns, ownRuns } from "./own-runs.ts";
import type { ScanEvent } from "./scan/scan-event.ts";

/** Which own runs are wanted, and how they are judged. */
export interface OwnRequest {
  readonly stores: Stores;
  /** Where the runs are: the database. */
  readonly file: string;
  readonly policy: Policy;
  readonly since?: number;
  readonly isProject?: (folder: string | null) => boolean;
}

/** Analyzes the runs of Sheepdog itself. */
export async function* ownLookBack({
  stores,
  file,
  policy,
  since = 0,
  isProject = () => true,
}: OwnRequest): AsyncGenerator<ScanEvent> {
  const startedAt = Date.now();
  let runs = 0;
  for (const session of await stores.sessions.list()) {
    if (!hasRuns(session) || session.updatedAt < since) continue;
    for await (const { run, folder, recording } of ownRuns(stores, session, () => false)) {
      if ((run.at ?? since) < since || !isProject(folder)) continue;
      const placed = folder === null ? recording : { ...recording, project: folder };
      runs++;
      yield { type: "run", run: { ...lookBackRun(placed, { file, line: 0, sameIds: 0, policy }), ...run } };
    }
  }
  const places = runs === 0 ? [] : [{ agent: agentLabel(ownSource), path: file, files: 1, runs }];
  const ms = Date.now() - startedAt;
  yield {
    type: "end",
    scan: { places, files: places.length, bytes: 0, cachedFiles: 0, ms, skipped: [], skippedCount: 0 },
  };
}
