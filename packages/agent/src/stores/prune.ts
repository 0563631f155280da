import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { type LogFolder, logFolders, removeLogFolder } from "../logs/log-folders.ts";
import { thisProcess } from "./holder.ts";
import { isLeaseActive } from "./lease.ts";
import { removeSession } from "./remove-session.ts";
import type { Holder, SessionSummary, Stores } from "./stores.ts";

/** How much to keep. An absent value removes nothing. */
interface Retention {
  /** Removes everything that was not written to for longer. */
  readonly maxAgeMs?: number;
  /** Removes the oldest until the total size is below this limit. */
  readonly maxBytes?: number;
}

export interface PruneOptions {
  readonly stores: Stores;
  readonly logDir?: string;
  readonly at: number;
  /** Sessions are removed with their logs: otherwise a rebuild would bring them back. */
  readonly sessions?: Retention;
  readonly logs?: Retention;
  /** Removes rows of the audit trail that are older. They outlive their sessions. Absent: removes none. */
  readonly auditMaxAgeMs?: number;
  /** Also remove sessions whose last run was interrupted and could be resumed. */
  readonly withUnfinished?: boolean;
  /** Only report what would be removed. */
  readonly isDryRun?: boolean;
}

/** A removed session or log folder. `bytes` is the size of the session's JSON, or of the log files. */
interface Removed {
  readonly sessionId: string;
  readonly updatedAt: number;
  readonly bytes: number;
  readonly why: "age" | "size";
}

export interface Pruned {
  readonly isDryRun: boolean;
  readonly sessions: readonly Removed[];
  readonly logs: readonly Removed[];
  /** Sessions that were due and were not removed, with the reason. */
  readonly kept: readonly { readonly sessionId: string; readonly why: string }[];
  readonly bytes: number;
  /** The number of removed rows of the audit trail. */
  readonly auditRows: number;
}

/** Removes sessions and logs that are too old, then the oldest of those that take too much space. */
export async function prune(options: PruneOptions): Promise<Pruned> {
  const { stores, logDir, isDryRun = false } = options;
  checkRetention("sessions", options.sessions);
  checkRetention("logs", options.logs);
  if (options.auditMaxAgeMs !== undefined) checkRetention("the audit trail", { maxAgeMs: options.auditMaxAgeMs });
  const summaries = await stores.sessions.list();
  const folders = logDir === undefined ? [] : await logFolders(logDir);
  const kept = new Map<string, string>();
  const selection = { at: options.at, inUse: reasonsToKeep(summaries, options), kept };

  const sessionsDue = selectForRemoval(await measureSessions(options, summaries), options.sessions, selection);
  const sessions = await removeEach(sessionsDue, options, kept, ({ sessionId }) =>
    removeSession(stores, { sessionId, at: options.at, ...(logDir === undefined ? {} : { logDir }) }),
  );
  const removedReasons = new Map(sessions.map(({ sessionId, why }) => [sessionId, why]));
  const logsOfSessions = folders.flatMap((folder) => {
    const why = removedReasons.get(folder.sessionId);
    return why === undefined ? [] : [removedEntry(folder, why)];
  });
  const remaining = new Map(
    folders.filter(({ sessionId }) => !removedReasons.has(sessionId)).map((folder) => [folder.sessionId, folder]),
  );
  const withClaim = createClaimer(options, summaries);
  const logsDue = selectForRemoval([...remaining.values()], options.logs, selection);
  const otherLogs = await removeEach(logsDue, options, kept, ({ sessionId }) => {
    const folder = remaining.get(sessionId) as LogFolder; // selected from these folders
    return withClaim(sessionId, () => removeLogFolder(folder));
  });
  const logs = [...logsOfSessions, ...otherLogs];
  return {
    isDryRun,
    sessions,
    logs,
    kept: Array.from(kept, ([sessionId, why]) => ({ sessionId, why })),
    bytes: [...sessions, ...logs].reduce((sum, { bytes }) => sum + bytes, 0),
    auditRows: await pruneAudit(options),
  };
}

async function pruneAudit({ stores, at, auditMaxAgeMs, isDryRun = false }: PruneOptions): Promise<number> {
  return auditMaxAgeMs === undefined ? 0 : stores.audit.removeBefore(at - auditMaxAgeMs, { isDryRun });
}

type Measured = Pick<Removed, "sessionId" | "updatedAt" | "bytes">;

interface Selection {
  readonly at: number;
  /** Reasons not to remove a session, by id. */
  readonly inUse: ReadonlyMap<string, string>;
  /** Collects the sessions that are due but in use. */
  readonly kept: Map<string, string>;
}

/** Selects what to remove, oldest first. What is in use counts towards the size, but stays. */
function selectForRemoval(
  all: readonly Measured[],
  retention: Retention | undefined,
  { at, inUse, kept }: Selection,
): readonly Removed[] {
  if (retention === undefined) return [];
  const { maxAgeMs = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = retention;
  let totalBytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const selected: Removed[] = [];
  for (const entry of [...all].sort((a, b) => a.updatedAt - b.updatedAt)) {
    const isTooOld = at - entry.updatedAt > maxAgeMs;
    if (!isTooOld && totalBytes <= maxBytes) continue;
    const reasonToKeep = inUse.get(entry.sessionId);
    if (reasonToKeep !== undefined) {
      kept.set(entry.sessionId, reasonToKeep);
      continue;
    }
    totalBytes -= entry.bytes;
    selected.push(removedEntry(entry, isTooOld ? "age" : "size"));
  }
  return selected;
}

function removedEntry({ sessionId, updatedAt, bytes }: Measured, why: Removed["why"]): Removed {
  return { sessionId, updatedAt, bytes, why };
}

/** Removes entries one by one. An entry that fails is kept with the error message, and the next one follows. */
async function removeEach(
  entries: readonly Removed[],
  { isDryRun = false }: PruneOptions,
  kept: Map<string, string>,
  remove: (entry: Removed) => Promise<unknown>,
): Promise<readonly Removed[]> {
  if (isDryRun) return entries;
  const removed: Removed[] = [];
  for (const entry of entries) {
    try {
      await remove(entry);
      removed.push(entry);
    } catch (error) {
      kept.set(entry.sessionId, error instanceof Error ? error.message : String(error));
    }
    await nextEventLoopTurn();
  }
  return removed;
}

/** Runs work on a session while no other process holds it: the list may be outdated. Unsaved sessions need no claim. */
function createClaimer(
  { stores, at }: PruneOptions,
  summaries: readonly SessionSummary[],
): (sessionId: string, work: () => Promise<void>) => Promise<void> {
  const savedIds = new Set(summaries.map(({ sessionId }) => sessionId));
  const holder = thisProcess();
  return async (sessionId, work) => {
    if (!savedIds.has(sessionId)) return work();
    const claim = await stores.sessions.claim(sessionId, holder, at);
    if (!claim.ok) throw new Error(inUseBy(claim.holder));
    await work().finally(() => stores.sessions.release(claim.lease));
  };
}

/** Reads sessions to measure them: all of them when there is a size limit, otherwise those that are too old. */
async function measureSessions(
  { stores, at, sessions: retention }: PruneOptions,
  summaries: readonly SessionSummary[],
): Promise<readonly Measured[]> {
  const { maxAgeMs = Number.POSITIVE_INFINITY, maxBytes } = retention ?? {};
  const measured: Measured[] = [];
  for (const { sessionId, updatedAt } of summaries) {
    if (maxBytes === undefined && at - updatedAt <= maxAgeMs) continue;
    const parts = [await stores.sessions.load(sessionId), await stores.events.after(sessionId, 0)];
    const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0);
    measured.push({ sessionId, updatedAt, bytes });
    await nextEventLoopTurn();
  }
  return measured;
}

/** Reasons to keep sessions, by id. The subagents of a session that stays also stay. */
function reasonsToKeep(summaries: readonly SessionSummary[], options: PruneOptions): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const summary of summaries) {
    const reason = reasonToKeep(summary, options);
    if (reason !== undefined) own.set(summary.sessionId, reason);
  }
  const all = new Map(own);
  for (const { sessionId, lastRun } of summaries) {
    const parent = lastRun?.billingSessionId;
    if (parent !== undefined && own.has(parent) && !all.has(sessionId))
      all.set(sessionId, `it is a subagent's of ${parent}: ${own.get(parent)}`);
  }
  return all;
}

function reasonToKeep(
  { holder, renewedAt, lastRun }: SessionSummary,
  { at, withUnfinished = false }: PruneOptions,
): string | undefined {
  if (holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at)) return inUseBy(holder);
  const isUnfinished = lastRun !== undefined && lastRun.endedAt === undefined;
  return isUnfinished && !withUnfinished ? "its last run has not ended, and could be resumed" : undefined;
}

function inUseBy({ pid, host }: Holder): string {
  return `process ${pid} on ${host} works on it`;
}

function checkRetention(what: string, retention: Retention | undefined): void {
  for (const [name, value] of Object.entries(retention ?? {}))
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      throw new RangeError(`Expected ${name} of ${what} to be a number from 0 up, got ${value}.`);
}
