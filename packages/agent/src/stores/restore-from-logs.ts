import { type LogFolder, logFolderOf, sessionsWithLogs } from "../logs/log-folders.ts";
import { readRunLog } from "../logs/read-run-log.ts";
import { mergeLogged } from "./merge-logged.ts";
import { type LoggedRun, runFromLog } from "./run-from-log.ts";
import type { BookedCost, Holder, Lease, SavedSession, SessionSummary, Stores } from "./stores.ts";

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
export interface Restored {
  readonly sessions: number;
  readonly messages: number;
  readonly runs: number;
  readonly costs: number;
  /** Sentences about what could not be. */
  readonly lost: readonly string[];
}

/** Brings back the runs that have logs and are not in the store. */
export async function restoreFromLogs(options: RestoreOptions): Promise<Restored> {
  const { stores, logDir, at, rebuilding, quietMs = 60_000 } = options;
  const summaries = new Map((await stores.sessions.list()).map((summary) => [summary.sessionId, summary]));
  let restored = nothing;
  for (const { sessionId, changedAt } of sessionsWithLogs(logDir)) {
    const summary = summaries.get(sessionId);
    const isKnown = summary?.lastRun !== undefined && changedAt <= summary.updatedAt; // a run begins its log before its first commit
    if (rebuilding === undefined && (isKnown || summary?.holder !== undefined)) continue;
    for (const folder of await logFolderOf(logDir, sessionId))
      if (rebuilding !== undefined || folder.updatedAt <= at - quietMs) restored = sum(restored, await restoreSession(options, folder, summary));
  }
  return restored;
}

async function restoreSession(options: RestoreOptions, folder: LogFolder, summary: SessionSummary | undefined): Promise<Restored> {
  const { stores, logDir, at, holder, rebuilding } = options;
  const { sessionId } = folder;
  const saved = await stores.sessions.load(sessionId);
  const costs = await stores.costs.rows(sessionId);
  const known = new Set(saved.runs.map(({ runId }) => runId));
  const isWhole = folder.runs.every((runId) => known.has(runId));
  if (isWhole && (rebuilding === undefined || (isBooked(saved.runs, costs) && !rebuilding.incomplete.has(sessionId)))) return nothing;
  const { logged, lost } = await readLogs(logDir, folder, rebuilding === undefined ? known : new Set());
  const merged = mergeLogged({ ...saved, costs }, logged, at);
  if (merged.messages === undefined && merged.runs.length === 0 && merged.costs.length === 0) return { ...nothing, lost };
  const claim = await stores.sessions.claim(sessionId, holder, at);
  if (!claim.ok) return nothing; // somebody works on it now
  const counts = { sessions: summary === undefined ? 1 : 0, messages: 0, runs: merged.runs.length, costs: merged.costs.length, lost };
  const isAnew = rebuilding !== undefined && merged.messages !== undefined && saved.messages.length > 0;
  const lease = isAnew ? await removeAndClaim(options, claim.lease, saved, summary) : claim.lease;
  const before = new Set(isAnew ? [] : saved.messages.map(({ id }) => id));
  const messages = merged.messages?.filter(({ id }) => !before.has(id)) ?? [];
  await commitAll(stores, lease, { messages, runs: merged.runs, costs: merged.costs, at, since: summary?.updatedAt ?? 0 });
  await stores.sessions.release(lease);
  return { ...counts, messages: messages.length - (isAnew ? saved.messages.length : 0) };
}

/** Whether the books have what the runs of a session say they did cost. */
function isBooked(runs: SavedSession["runs"], costs: readonly BookedCost[]): boolean {
  const sums = new Map<string, number>();
  for (const { runId, costNanoUsd } of costs) sums.set(runId, (sums.get(runId) ?? 0) + (costNanoUsd ?? 0));
  return runs.every(({ runId, costNanoUsd }) => (sums.get(runId) ?? 0) >= (costNanoUsd ?? 0));
}

async function readLogs(
  dir: string,
  { sessionId, runs }: LogFolder,
  known: ReadonlySet<string>,
): Promise<{ logged: readonly LoggedRun[]; lost: readonly string[] }> {
  const logged: LoggedRun[] = [];
  const lost: string[] = [];
  for (const runId of runs) {
    if (known.has(runId)) continue;
    const { lines, problems } = await readRunLog({ dir, sessionId, runId });
    const run = runFromLog({ sessionId, runId }, lines);
    if (run === undefined) lost.push(`run ${runId} of session ${sessionId}: its log tells nothing`);
    else logged.push(run);
    lost.push(...problems.slice(0, 3));
  }
  return { logged: logged.sort((one, other) => one.run.startedAt - other.run.startedAt), lost };
}

/** Makes room for a session to be written anew; what else there was of it comes back first. */
async function removeAndClaim({ stores, holder, at }: RestoreOptions, lease: Lease, saved: SavedSession, summary: SessionSummary | undefined): Promise<Lease> {
  const { sessionId } = lease;
  const events = await stores.events.after(sessionId, 0);
  await stores.sessions.release(lease);
  await stores.sessions.remove(sessionId, at);
  const claim = await stores.sessions.claim(sessionId, holder, at);
  if (!claim.ok) throw new Error(`Expected nobody else to use session ${sessionId} while it is rebuilt.`);
  const { checkpoint, openCalls, runs } = saved;
  await stores.sessions.commit(claim.lease, { at: summary?.createdAt ?? at, openCalls, events, ...(checkpoint === undefined ? {} : { checkpoint }) });
  for (const run of runs) await stores.sessions.commit(claim.lease, { at: summary?.updatedAt ?? at, run });
  return claim.lease;
}

interface Writing extends Pick<ReturnType<typeof mergeLogged>, "runs" | "costs"> {
  readonly messages: NonNullable<ReturnType<typeof mergeLogged>["messages"]>;
  readonly at: number;
  /** The session's time never goes back. */
  readonly since: number;
}

async function commitAll(stores: Stores, lease: Lease, { messages, runs, costs, at, since }: Writing): Promise<void> {
  const times = runs.map(({ run }) => run.endedAt ?? run.startedAt);
  for (const { run, events } of runs) await stores.sessions.commit(lease, { at: Math.max(since, run.startedAt), run, events });
  await stores.sessions.commit(lease, { at: Math.min(at, Math.max(since, ...times)), messages, costs });
}

const nothing: Restored = { sessions: 0, messages: 0, runs: 0, costs: 0, lost: [] };

function sum(one: Restored, other: Restored): Restored {
  return {
    sessions: one.sessions + other.sessions,
    messages: one.messages + other.messages,
    runs: one.runs + other.runs,
    costs: one.costs + other.costs,
    lost: [...one.lost, ...other.lost],
  };
}
