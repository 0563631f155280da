import { isLeaseActive, type SessionSummary, type Stores } from "@sheepdog/agent";
import type { RunRow } from "@sheepdog/web/contract";
import { createSummaryContext } from "../../../saved-runs/list-runs.ts";
import {
  type LoadedSession,
  type RunSummary,
  type SummaryContext,
  summarizeRuns,
} from "../../../saved-runs/run-summary.ts";
import { shortened } from "../../../sentences/shortened.ts";
import { type RunData, savedRunData } from "../run-data/run-data.ts";
import { runRow } from "./run-row.ts";
import { digestRunData, readDigest, type SessionDigest } from "./session-digest.ts";
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

/** Sessions whose rows are kept in memory. */
const MAX_SESSIONS = 5_000;
const caches = new WeakMap<Stores, Map<string, CachedSession>>();
/** Live sessions that are not read again from their start. */
const MAX_DIGESTS = 100;
const digestCaches = new WeakMap<Stores, Map<string, SessionDigest>>();

/** Lists the sessions. Their runs are summarized when they are asked for, and kept until the session changes. */
export async function listSessions(stores: Stores, at: number): Promise<SessionList> {
  const all = await stores.sessions.list();
  const ids = new Set(all.map(({ sessionId }) => sessionId));
  const context = createSummaryContext(stores, all, at);
  const cache = caches.get(stores) ?? new Map<string, CachedSession>();
  caches.set(stores, cache);
  const digests = digestCaches.get(stores) ?? new Map<string, SessionDigest>();
  digestCaches.set(stores, digests);
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
      const runs = cached?.stamp === stamp ? cached.runs : await readRuns(session, { context, digests, isLive });
      cache.set(session.sessionId, { stamp, runs });
      const [oldest] = cache.keys();
      if (cache.size > MAX_SESSIONS && oldest !== undefined) cache.delete(oldest);
      return runs;
    },
  };
}

interface DigestReader {
  readonly context: SummaryContext;
  readonly digests: Map<string, SessionDigest>;
  isLive(session: SessionSummary): boolean;
}

async function readRuns(session: SessionSummary, reader: DigestReader): Promise<readonly IndexedRun[]> {
  const used = new Map<string, SessionDigest>();
  let summaries: readonly RunSummary[];
  try {
    summaries = await summarizeRuns(session, {
      ...reader.context,
      readSession: async (each) => {
        const digest = await keptDigest(each, reader);
        used.set(each.sessionId, digest);
        return digest;
      },
    });
  } catch (error) {
    const run = unreadableRun(session, error);
    return run === undefined ? [] : [{ ...run, waitingRunIds: [] }];
  }
  const rowOf = (summary: RunSummary): readonly RunRow[] => {
    const digest = used.get(summary.sessionId);
    return digest === undefined ? [] : [runRow(digestRunData(summary, digest))];
  };
  return summaries.flatMap((summary) =>
    rowOf(summary).map((row) => {
      const waiting = [row, ...summary.subagents.flatMap(rowOf)].filter(({ waitsFor }) => waitsFor !== null);
      return {
        row: { ...row, waitsFor: row.waitsFor ?? (row.isLive ? (waiting[0]?.waitsFor ?? null) : null) },
        summary: slim(summary),
        waitingRunIds: waiting.map(({ id }) => id),
      };
    }),
  );
}

/** The digest of a session, read on from where it was. That of a session that has ended is not kept: its rows are. */
async function keptDigest(session: SessionSummary, { context, digests, isLive }: DigestReader): Promise<SessionDigest> {
  const { sessionId } = session;
  const earlier = digests.get(sessionId);
  digests.delete(sessionId); // a digest that could not be read on is not used again
  const digest = await readDigest(context.stores, session, earlier);
  if (isLive(session)) digests.set(sessionId, digest); // the one that was used last comes last
  const [oldest] = digests.keys();
  if (digests.size > MAX_DIGESTS && oldest !== undefined) digests.delete(oldest);
  return digest;
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
