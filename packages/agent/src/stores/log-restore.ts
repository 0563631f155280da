import { type LogFolder, logFolderOf, sessionsWithLogs } from "../logs/log-folders.ts";
import { readRunLog } from "../logs/read-run-log.ts";
import { isLeaseActive } from "./lease.ts";
import { type LoggedRun, parseLoggedRun } from "./logged-run.ts";
import { mergeLoggedRuns, type SessionMerge } from "./session-merge.ts";
import {
  type Commit,
  type Holder,
  type Lease,
  LeaseLostError,
  type LedgerEntry,
  type SavedSession,
  type SessionSummary,
  type Stores,
} from "./stores.ts";

export interface RestoreOptions {
  readonly stores: Stores;
  readonly logDir: string;
  readonly at: number;
  readonly holder: Holder;
  /**
   * The store is being rebuilt, and nobody else uses it yet: sessions are put in order where runs are missing in between, for which they are removed and
   * written anew. Named are those that miss messages. Without it missing runs are added at the end.
   */
  readonly rebuilding?: { readonly incomplete: ReadonlySet<string> };
  /** Logs written to within that time may be those of runs that go on, and are left alone; 60 s. */
  readonly quietMs?: number;
}

/** What was brought back. */
export interface RestoreReport {
  readonly sessions: number;
  readonly messages: number;
  readonly runs: number;
  readonly costs: number;
  /** Sentences about what could not be. */
  readonly lost: readonly string[];
}

/** Brings back runs that have logs and are not in the store, or not with their end, and what they cost. A log that cannot be read keeps nobody from the others. */
export async function restoreFromLogs(options: RestoreOptions): Promise<RestoreReport> {
  const { stores, logDir } = options;
  const summaries = new Map((await stores.sessions.list()).map((summary) => [summary.sessionId, summary]));
  let restored = nothing;
  const orTell = async (what: string, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      if (error instanceof LeaseLostError) return; // another process does the same
      const lost = [`${what}: ${error instanceof Error ? error.message : String(error)}`];
      restored = sum(restored, { ...nothing, lost });
    }
  };
  await orTell(`the logs at ${logDir}`, async () => {
    for (const { sessionId, changedAt } of sessionsWithLogs(logDir)) {
      const summary = summaries.get(sessionId);
      if (isKnown(options, summary, changedAt)) continue;
      await orTell(`the logs of session ${sessionId}`, async () => {
        for (const folder of await logFolderOf(logDir, sessionId))
          if (isToRead(options, summary, folder))
            restored = sum(restored, await restoreSession(options, folder, summary));
      });
    }
  });
  return restored;
}

/** Whether a look at the folder tells that its logs add nothing: the last run of the session has ended, and none has begun a log since. */
function isKnown({ rebuilding, at }: RestoreOptions, summary: SessionSummary | undefined, changedAt: number): boolean {
  if (rebuilding !== undefined || summary === undefined) return false;
  const { lastRun, updatedAt, holder, renewedAt = at } = summary;
  if (holder !== undefined && isLeaseActive(holder, renewedAt, at)) return true; // somebody works on it
  return lastRun?.endedAt !== undefined && changedAt <= updatedAt;
}

function isToRead(
  { rebuilding, at, quietMs = 60_000 }: RestoreOptions,
  summary: SessionSummary | undefined,
  { updatedAt }: LogFolder,
): boolean {
  return (
    rebuilding !== undefined ||
    (updatedAt <= at - quietMs && (summary?.lastRun === undefined || updatedAt > summary.updatedAt))
  );
}

async function restoreSession(
  options: RestoreOptions,
  folder: LogFolder,
  summary: SessionSummary | undefined,
): Promise<RestoreReport> {
  const { stores, logDir, at, holder, rebuilding } = options;
  const { sessionId } = folder;
  const load = async () => ({ ...(await stores.sessions.load(sessionId)), costs: await stores.costs.rows(sessionId) });
  const before = await load();
  const ended = new Set(before.runs.flatMap(({ runId, endedAt }) => (endedAt === undefined ? [] : [runId])));
  const isWhole = folder.runs.every((runId) => ended.has(runId));
  if (
    isWhole &&
    (rebuilding === undefined || (isBooked(before.runs, before.costs) && !rebuilding.incomplete.has(sessionId)))
  )
    return nothing;
  const { logged, untold, problems } = await readLogs(logDir, folder, rebuilding === undefined ? ended : new Set());
  const lost = untold
    .filter((runId) => !before.runs.some((run) => run.runId === runId))
    .map((runId) => `run ${runId} of session ${sessionId}: its log tells nothing`);
  if (isEmpty(mergeLoggedRuns(before, logged, at))) return { ...nothing, lost };
  const claim = await stores.sessions.claim(sessionId, holder, at);
  if (!claim.ok) return nothing; // somebody works on it now
  let { lease } = claim;
  try {
    const saved = await load(); // what is there now that nobody else writes
    const merged = mergeLoggedRuns(saved, logged, at);
    if (isEmpty(merged)) return nothing;
    const isAnew = rebuilding !== undefined && merged.messages !== undefined && saved.messages.length > 0;
    if (isAnew) lease = await removeAndClaim(options, lease, saved, summary);
    const known = new Set(isAnew ? [] : saved.messages.map(({ id }) => id));
    const messages = merged.messages?.filter(({ id }) => !known.has(id)) ?? [];
    await commitAll(stores, lease, {
      messages,
      runs: merged.runs,
      costs: merged.costs,
      at,
      since: lastTime(saved, summary),
    });
    const counts = { sessions: summary === undefined ? 1 : 0, runs: merged.runs.length, costs: merged.costs.length };
    return {
      ...counts,
      messages: messages.length - (isAnew ? saved.messages.length : 0),
      lost: [...lost, ...problems],
    };
  } finally {
    await stores.sessions.release(lease);
  }
}

function isEmpty({ messages, runs, costs }: SessionMerge): boolean {
  return messages === undefined && runs.length === 0 && costs.length === 0;
}

/** When the session was written to last, as far as that is known. */
function lastTime({ runs, messages }: SavedSession, summary: SessionSummary | undefined): number {
  const times = [
    ...runs.map(({ startedAt, endedAt = startedAt }) => endedAt),
    ...messages.slice(-1).map(({ at }) => at),
  ];
  return Math.max(summary?.updatedAt ?? 0, ...times);
}

/** Whether the books have what the runs of a session say they did cost. */
function isBooked(runs: SavedSession["runs"], costs: readonly LedgerEntry[]): boolean {
  const sums = new Map<string, number>();
  for (const { runId, costNanoUsd } of costs) sums.set(runId, (sums.get(runId) ?? 0) + (costNanoUsd ?? 0));
  return runs.every(({ runId, costNanoUsd }) => (sums.get(runId) ?? 0) >= (costNanoUsd ?? 0));
}

interface ReadLogs {
  readonly logged: readonly LoggedRun[];
  /** Runs whose logs tell nothing. */
  readonly untold: readonly string[];
  readonly problems: readonly string[];
}

async function readLogs(dir: string, { sessionId, runs }: LogFolder, known: ReadonlySet<string>): Promise<ReadLogs> {
  const logged: LoggedRun[] = [];
  const untold: string[] = [];
  const problems: string[] = [];
  for (const runId of runs) {
    if (known.has(runId)) continue;
    const read = await readRunLog({ dir, sessionId, runId });
    const run = parseLoggedRun({ sessionId, runId }, read.lines);
    if (run === undefined) untold.push(runId);
    else logged.push(run);
    problems.push(...read.problems.slice(0, 3));
  }
  return { logged: logged.sort((one, other) => one.run.startedAt - other.run.startedAt), untold, problems };
}

/** Makes room for a session to be written anew; what else there was of it comes back first. */
async function removeAndClaim(
  { stores, holder, at }: RestoreOptions,
  lease: Lease,
  saved: SavedSession,
  summary: SessionSummary | undefined,
): Promise<Lease> {
  const { sessionId } = lease;
  const events = await stores.events.after(sessionId, 0);
  await stores.sessions.release(lease);
  await stores.sessions.remove(sessionId, at);
  const claim = await stores.sessions.claim(sessionId, holder, at);
  if (!claim.ok) throw new Error(`Expected nobody else to use session ${sessionId} while it is rebuilt.`);
  const { checkpoint, unansweredCalls, runs } = saved;
  await stores.sessions.commit(claim.lease, {
    at: summary?.createdAt ?? at,
    unansweredCalls,
    events,
    ...(checkpoint === undefined ? {} : { checkpoint }),
  });
  for (const run of runs) await stores.sessions.commit(claim.lease, { at: summary?.updatedAt ?? at, run });
  return claim.lease;
}

interface Writing extends Pick<SessionMerge, "runs" | "costs"> {
  readonly messages: NonNullable<SessionMerge["messages"]>;
  readonly at: number;
  /** The session's time never goes back. */
  readonly since: number;
}

/**
 * One who is killed in between leaves runs out, which the next one adds: what only the first commit could tell is in it. A commit takes its time for when the lease
 * was renewed, which here is long ago.
 */
async function commitAll(stores: Stores, lease: Lease, { messages, runs, costs, at, since }: Writing): Promise<void> {
  const end = Math.min(at, Math.max(since, ...runs.map(({ run }) => run.endedAt ?? run.startedAt)));
  const commit = async (more: Omit<Commit, "at">, time: number) => {
    await stores.sessions.commit(lease, { at: Math.max(since, time), ...more });
    await stores.sessions.renew(lease, at);
  };
  const [first, ...others] = runs;
  if (first === undefined) return commit({ messages, costs }, end);
  await commit({ messages, costs, run: first.run, events: first.events }, first.run.startedAt);
  for (const { run, events } of others) await commit({ run, events }, run.startedAt);
  await commit({}, end);
}

const nothing: RestoreReport = { sessions: 0, messages: 0, runs: 0, costs: 0, lost: [] };

function sum(one: RestoreReport, other: RestoreReport): RestoreReport {
  return {
    sessions: one.sessions + other.sessions,
    messages: one.messages + other.messages,
    runs: one.runs + other.runs,
    costs: one.costs + other.costs,
    lost: [...one.lost, ...other.lost],
  };
}
