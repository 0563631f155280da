import { type LogFolder, logFolderOf, sessionsWithLogs } from "../logs/log-folders.ts";
import { readRunLog } from "../logs/read-run-log.ts";
import { type LoggedRun, parseLoggedRun } from "./logged-run.ts";
import { mergeLoggedRuns, type SalvagedSession, type SessionMerge } from "./session-merge.ts";
import type { Holder, Lease, LedgerEntry, SavedRun, SessionSummary, Stores } from "./stores.ts";

export interface LogRestoreOptions {
  /** Stores that no other process uses. */
  readonly stores: Stores;
  readonly logDir: string;
  readonly at: number;
  readonly holder: Holder;
  /** Ids of sessions that miss messages or runs. */
  readonly incomplete: ReadonlySet<string>;
}

/** What the logs restored. */
export interface RestoreReport {
  readonly runs: number;
  /** Sentences about what could not be restored. */
  readonly lost: readonly string[];
}

/**
 * Adds runs that have logs but are missing or without their end in the stores, and their costs. A log that cannot be
 * read is reported and does not stop the others.
 */
export async function restoreFromLogs(options: LogRestoreOptions): Promise<RestoreReport> {
  const { stores, logDir } = options;
  const reports: RestoreReport[] = [];
  try {
    const summaries = new Map((await stores.sessions.list()).map((summary) => [summary.sessionId, summary]));
    for (const sessionId of sessionsWithLogs(logDir))
      reports.push(await restoreSession(options, sessionId, summaries.get(sessionId)));
  } catch (error) {
    reports.push({ runs: 0, lost: [`the logs at ${logDir}: ${messageOf(error)}`] });
  }
  return {
    runs: reports.reduce((sum, { runs }) => sum + runs, 0),
    lost: reports.flatMap(({ lost }) => lost),
  };
}

async function restoreSession(
  options: LogRestoreOptions,
  sessionId: string,
  summary: SessionSummary | undefined,
): Promise<RestoreReport> {
  try {
    const [folder] = await logFolderOf(options.logDir, sessionId);
    return folder === undefined ? nothing : await restoreFolder(options, folder, summary);
  } catch (error) {
    return { runs: 0, lost: [`the logs of session ${sessionId}: ${messageOf(error)}`] };
  }
}

const nothing: RestoreReport = { runs: 0, lost: [] };

async function restoreFolder(
  options: LogRestoreOptions,
  folder: LogFolder,
  summary: SessionSummary | undefined,
): Promise<RestoreReport> {
  const { stores, logDir, at, incomplete } = options;
  const { sessionId } = folder;
  const saved = { ...(await stores.sessions.load(sessionId)), costs: await stores.costs.rows(sessionId) };
  const endedRuns = new Set(saved.runs.filter(({ endedAt }) => endedAt !== undefined).map(({ runId }) => runId));
  const isComplete = folder.runs.every((runId) => endedRuns.has(runId)) && areCostsRecorded(saved.runs, saved.costs);
  if (isComplete && !incomplete.has(sessionId)) return nothing;
  const { loggedRuns, emptyLogs, problems } = await readLogs(logDir, folder);
  const savedRuns = new Set(saved.runs.map(({ runId }) => runId));
  const lost = emptyLogs
    .filter((runId) => !savedRuns.has(runId))
    .map((runId) => `run ${runId} of session ${sessionId}: its log is empty or cannot be used`);
  const merge = mergeLoggedRuns(saved, loggedRuns, at);
  if (merge.messages === undefined && merge.runs.length === 0 && merge.costs.length === 0) return { runs: 0, lost };
  await writeMerge(options, merge, { sessionId, saved, summary });
  return { runs: merge.runs.length, lost: [...lost, ...problems] };
}

/** Whether the ledger has what the runs of a session say they cost. */
function areCostsRecorded(runs: readonly SavedRun[], costs: readonly LedgerEntry[]): boolean {
  const recorded = new Map<string, number>();
  for (const { runId, costNanoUsd } of costs) recorded.set(runId, (recorded.get(runId) ?? 0) + (costNanoUsd ?? 0));
  return runs.every(({ runId, costNanoUsd }) => (recorded.get(runId) ?? 0) >= (costNanoUsd ?? 0));
}

interface ReadLogs {
  /** Oldest first. */
  readonly loggedRuns: readonly LoggedRun[];
  /** Ids of runs whose logs have no usable line. */
  readonly emptyLogs: readonly string[];
  readonly problems: readonly string[];
}

async function readLogs(dir: string, { sessionId, runs }: LogFolder): Promise<ReadLogs> {
  const loggedRuns: LoggedRun[] = [];
  const emptyLogs: string[] = [];
  const problems: string[] = [];
  for (const runId of runs) {
    const log = await readRunLog({ dir, sessionId, runId });
    const run = parseLoggedRun({ sessionId, runId }, log.lines);
    if (run === undefined) emptyLogs.push(runId);
    else loggedRuns.push(run);
    problems.push(...log.problems.slice(0, 3));
  }
  loggedRuns.sort((a, b) => a.run.startedAt - b.run.startedAt);
  return { loggedRuns, emptyLogs, problems };
}

interface Target {
  readonly sessionId: string;
  readonly saved: SalvagedSession;
  readonly summary: SessionSummary | undefined;
}

async function writeMerge(options: LogRestoreOptions, merge: SessionMerge, target: Target): Promise<void> {
  const { stores, at } = options;
  const { sessionId, saved, summary } = target;
  const isRewrite = merge.messages !== undefined && saved.messages.length > 0; // messages can only be appended
  const lease = isRewrite ? await rewriteSession(options, target) : await claim(options, sessionId);
  const runTimes = saved.runs.map(({ startedAt, endedAt = startedAt }) => endedAt);
  const updatedAt = Math.max(summary?.updatedAt ?? 0, saved.messages.at(-1)?.at ?? 0, ...runTimes);
  const loggedTimes = merge.runs.map(({ run }) => run.endedAt ?? run.startedAt);
  const commitAt = (time: number) => Math.max(updatedAt, time); // the time of a session never goes back
  const { messages = [], costs } = merge;
  await stores.sessions.commit(lease, { at: commitAt(merge.runs[0]?.run.startedAt ?? 0), messages, costs });
  for (const { run, events } of merge.runs)
    await stores.sessions.commit(lease, { at: commitAt(run.startedAt), run, events });
  await stores.sessions.commit(lease, { at: commitAt(Math.min(at, Math.max(0, ...loggedTimes))) });
  await stores.sessions.release(lease);
}

/** Removes a session and writes everything but its messages again. Returns a new lease. */
async function rewriteSession(options: LogRestoreOptions, { sessionId, saved, summary }: Target): Promise<Lease> {
  const { stores, at } = options;
  const { checkpoint, unansweredCalls, runs } = saved;
  const events = await stores.events.after(sessionId, 0);
  await stores.sessions.remove(sessionId, at);
  const lease = await claim(options, sessionId);
  await stores.sessions.commit(lease, {
    at: summary?.createdAt ?? at,
    unansweredCalls,
    events,
    ...(checkpoint === undefined ? {} : { checkpoint }),
  });
  for (const run of runs) await stores.sessions.commit(lease, { at: summary?.updatedAt ?? at, run });
  return lease;
}

async function claim({ stores, holder, at }: LogRestoreOptions, sessionId: string): Promise<Lease> {
  const claimed = await stores.sessions.claim(sessionId, holder, at);
  if (!claimed.ok) throw new Error(`Expected no other process to use session ${sessionId} during the rebuild.`);
  return claimed.lease;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
