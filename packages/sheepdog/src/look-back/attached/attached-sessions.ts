import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { defaultPolicy } from "@sheepdog/guardian";
import { expandPath, type RecordedRun, readRecordingFile } from "@sheepdog/records";
import type { Home } from "../../home.ts";
import { maskedRecording } from "../../recordings/masked-recording.ts";
import { recordedEvents } from "../../recordings/recorded-events.ts";
import { isTime } from "../../recordings/recorded-times.ts";
import { createSameIds, recordingId } from "../../recordings/recording-entry.ts";
import type { RunFilter, RunList } from "../../saved-runs/list-runs.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { recordedRunSummary } from "../recorded-run-summary.ts";
import { SILENT_MS } from "./attached-state.ts";

/** The file of a session that hooks recorded. */
export interface AttachedSession {
  /** The id that the agent gave it. */
  readonly sessionId: string;
  /** The id of its recording: `rec_…`. */
  readonly id: string;
  readonly file: string;
  /** When the newest line was written, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A file of a session that hooks recorded. */
type Spool = Pick<AttachedSession, "file" | "changedAt">;

/** The spools of all attached agents, the one that was written last first. Opens none of them. */
export async function attachedSpools({ attachDir }: Pick<Home, "attachDir">): Promise<readonly Spool[]> {
  const { paths } = await expandPath(join(attachDir, "*", "*.jsonl"));
  const spools = paths.flatMap((file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ file, changedAt: stats.mtimeMs }] : []; // a pipe would be waited for
  });
  return spools.toSorted((one, other) => other.changedAt - one.changedAt);
}

/** The session of a spool, from its first line; undefined if it has none. */
export async function attachedSession({ file, changedAt }: Spool): Promise<AttachedSession | undefined> {
  try {
    const sessionId = await readSessionId(file);
    return sessionId === undefined ? undefined : { sessionId, id: recordingId(file, sessionId, 0), file, changedAt };
  } catch {
    return undefined; // it was removed meanwhile, or may not be read: `analyze` reports it
  }
}

/** The newest runs of attached agents, one for each session, with those of its subagents. */
export async function listAttachedRuns(
  home: Pick<Home, "attachDir">,
  { at, limit, isWanted = () => true, isHeldOnly = false, since = Number.NEGATIVE_INFINITY }: RunFilter,
): Promise<RunList> {
  const oldest = isHeldOnly ? Math.max(since, at - SILENT_MS) : since;
  const runs: RunSummary[] = [];
  for (const { file, changedAt } of await attachedSpools(home)) {
    const oldestNeeded = runs[limit]?.run.startedAt ?? Number.NEGATIVE_INFINITY;
    if (changedAt < oldest || changedAt < oldestNeeded) break; // all following sessions are older
    const summary = await readSession(file, at);
    if (summary !== undefined && isWanted(summary)) runs.push(summary);
    runs.sort((one, other) => other.run.startedAt - one.run.startedAt);
  }
  return { runs: runs.slice(0, limit), hasMore: runs.length > limit };
}

/** The session with its subagents; undefined if no call or reply was recorded yet. */
async function readSession(file: string, now: number): Promise<RunSummary | undefined> {
  const summaries: RunSummary[] = [];
  const sameIdsOf = createSameIds();
  for await (const item of readRecordingFile(file)) {
    if (item.type !== "run") continue;
    const id = recordingId(file, item.run.id, sameIdsOf(item.run.id));
    summaries.push(attachedRunSummary(maskedRecording(item.run), id, now));
  }
  const [main, ...subagents] = summaries;
  return main === undefined ? undefined : { ...main, subagents };
}

/** A run of an attached agent in the list of runs. */
function attachedRunSummary(recording: RecordedRun, id: string, now: number): RunSummary {
  const { task: prompt = "", model, source, steps, project } = recording;
  const startedAt = steps.map(({ at }) => at).find(isTime) ?? 0;
  const interventions = (recording.guardian?.acts ?? []).filter(({ type }) => type === "intervention").length;
  const { events, totals } = recordedEvents({
    ...{ id, recording, startedAt, prompt, model },
    policyName: defaultPolicy.name,
    interventions: [],
  });
  const summary = recordedRunSummary({
    ...{ id, recording, prompt, model, startedAt, events, totals, interventions, now },
    endedAt: undefined,
    workspace: project,
  });
  return { ...summary, sessionId: recording.id, isLast: false, ...(source === undefined ? {} : { agent: source }) };
}

/** A line with more characters is not the first one of a spool. */
const MAX_HEADER_BYTES = 64 * 1024;

async function readSessionId(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    const [line = ""] = buffer.toString("utf8", 0, bytesRead).split("\n", 1);
    const header: unknown = JSON.parse(line);
    const session = typeof header === "object" && header !== null && "session" in header ? header.session : undefined;
    return typeof session === "string" ? session : undefined;
  } finally {
    await handle.close();
  }
}
