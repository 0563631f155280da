import { isLeaseActive, type SessionSummary, type Stores } from "@sheepdog/agent";
import type { RunRow } from "@sheepdog/web/contract";
import { createSummaryContext } from "../../../saved-runs/list-runs.ts";
import {
  type LoadedSession,
  type RunSummary,
  type SummaryContext,
  summarizeRuns,
} from "../../../saved-runs/run-summary.ts";
import { type RunData, savedRunData } from "../run-data/run-data.ts";
import { shortened } from "../sentences/shortened.ts";
import { runRow } from "./run-row.ts";
import { unreadableRun } from "./unreadable-run.ts";

/** A run of the list, with what is needed for the command that resumes it. */
export interface IndexedRun {
  readonly row: RunRow;
  /** Without long texts. */
  readonly summary: RunSummary;
  /** The runs that wait for the user: itself or its subagents. */
  readonly waitingRunIds: readonly string[];
}

/** The saved sessions at one moment. */
export interface SessionList {
  /** Those that are not subagents', the one that was written last first. */
  readonly sessions: readonly SessionSummary[];
  readonly all: readonly SessionSummary[];
  isLive(session: SessionSummary): boolean;
  /** The runs of a session, oldest first; read again only if the session has changed. */
  runsOf(session: SessionSummary): Promise<readonly IndexedRun[]>;
}

interface CachedSession {
  readonly stamp: string;
  readonly runs: readonly IndexedRun[];
}

/** Sessions that are kept in memory. */
const MAX_SESSIONS = 5_000;
const caches = new WeakMap<Stores, Map<string, CachedSession>>();

/** Lists the sessions. Their runs are summarized when they are asked for, and kept until the session changes. */
export async function listSessions(stores: Stores, at: number): Promise<SessionList> {
  const all = await stores.sessions.list();
  const ids = new Set(all.map(({ sessionId }) => sessionId));
  const context = createSummaryContext(stores, all, at);
  const cache = caches.get(stores) ?? new Map<string, CachedSession>();
  caches.set(stores, cache);
  const isLive = ({ holder, renewedAt = at }: SessionSummary) =>
    holder !== undefined && isLeaseActive(holder, renewedAt, at);
  const stampOf = (session: SessionSummary): string =>
    [session, ...(context.subagents.get(session.sessionId) ?? [])]
      .map((each) => `${each.updatedAt} ${each.messages} ${each.lastRun?.state} ${each.holder?.id} ${isLive(each)}`)
      .join("|");
  return {
    all,
    sessions: all.filter(({ lastRun }) => {
      const payer = lastRun?.billingSessionId;
      return lastRun !== undefined && (payer === undefined || !ids.has(payer));
    }),
    isLive,
    async runsOf(session) {
      const stamp = stampOf(session);
      const cached = cache.get(session.sessionId);
      cache.delete(session.sessionId); // the one that was used last comes last
      const runs = cached?.stamp === stamp ? cached.runs : await readRuns(session, context);
      cache.set(session.sessionId, { stamp, runs });
      const [oldest] = cache.keys();
      if (cache.size > MAX_SESSIONS && oldest !== undefined) cache.delete(oldest);
      return runs;
    },
  };
}

async function readRuns(session: SessionSummary, context: SummaryContext): Promise<readonly IndexedRun[]> {
  let runs: readonly RunTree[];
  try {
    runs = await sessionData(session, context);
  } catch (error) {
    const run = unreadableRun(session, error);
    return run === undefined ? [] : [{ ...run, waitingRunIds: [] }];
  }
  return runs.map((data) => {
    const tree = [data, ...data.subagents];
    const row = runRow(data);
    const waiting = tree.flatMap((each) => {
      const own = each === data ? row : runRow(each);
      return own.waitsFor === null ? [] : [own];
    });
    return {
      row: { ...row, waitsFor: row.waitsFor ?? (row.isLive ? (waiting[0]?.waitsFor ?? null) : null) },
      summary: slim(data.summary),
      waitingRunIds: waiting.map(({ id }) => id),
    };
  });
}

/** A run with the data of its subagents. */
export interface RunTree extends RunData {
  readonly subagents: readonly RunData[];
}

/** Loads a session and the sessions of its subagents, and reads all its runs, oldest first. */
export async function sessionData(session: SessionSummary, context: SummaryContext): Promise<readonly RunTree[]> {
  const loaded = new Map<string, LoadedSession>();
  const summaries = await summarizeRuns(session, { ...context, onLoaded: (id, data) => void loaded.set(id, data) });
  const dataOf = (summary: RunSummary): readonly RunData[] => {
    const own = loaded.get(summary.sessionId);
    return own === undefined ? [] : [savedRunData(summary, own)];
  };
  return summaries.flatMap((summary) =>
    dataOf(summary).map((data) => ({ ...data, subagents: summary.subagents.flatMap(dataOf) })),
  );
}

/** Without texts that no list shows. */
function slim(summary: RunSummary): RunSummary {
  const { text: _, ...run } = summary.run;
  return { ...summary, run: { ...run, prompt: shortened(run.prompt, 500) }, subagents: [] };
}
