import { setImmediate } from "node:timers/promises";
import type { SessionSummary } from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import type { AnalyzedRun } from "../../../look-back/analyzed-run.ts";
import { isGoodOutcome } from "../../../look-back/good-outcome.ts";
import { hasRuns, ownRuns, sessionVersion } from "../../../look-back/own-runs.ts";
import { withNoticedLoop } from "../../../look-back/run-facts.ts";
import type { RecordingEntry } from "../../../recordings/recording-library.ts";
import type { ViewContext } from "../../view-context.ts";
import { type Analyzer, createAnalyzer } from "./analyzer.ts";

/** What is analyzed so far of what is wanted. */
interface AnalysisState {
  readonly runs: readonly AnalyzedRun[];
  readonly done: number;
  readonly total: number;
}

/** The analysis of runs and recordings: each is analyzed once, and again after it has changed. */
export interface FindingsAnalysis {
  /** Starts to analyze what is missing, waits for at most `waitMs`, and returns what is known. */
  update(context: ViewContext, wanted: { readonly since: number; readonly policy: Policy }): Promise<AnalysisState>;
}

const MAX_SESSIONS = 10_000;
const MAX_RECORDINGS = 20_000;
/** A small number of runs is analyzed before the first answer. */
const WAIT_MS = 400;

interface KnownSession {
  readonly version: string;
  readonly runs: readonly AnalyzedRun[];
}

/** Creates an analysis that knows nothing yet. */
export function createFindingsAnalysis(analyzer: Analyzer = createAnalyzer()): FindingsAnalysis {
  const sessions = new Map<string, KnownSession>();
  /** undefined: it could not be analyzed. */
  const recordings = new Map<string, AnalyzedRun | undefined>();
  const queue = new Map<string, () => Promise<void>>();
  let policyKey = "";
  let working: Promise<void> | undefined;

  function switchPolicy(policy: Policy): void {
    const key = JSON.stringify(policy);
    if (key === policyKey) return;
    policyKey = key;
    sessions.clear();
    recordings.clear();
    queue.clear();
  }

  async function work(): Promise<void> {
    for (;;) {
      const [next] = queue;
      if (next === undefined) return;
      const [key, job] = next;
      await job().catch(() => undefined); // a session that cannot be read has no runs
      queue.delete(key);
      await setImmediate();
    }
  }

  function analyzeSession(context: ViewContext, session: SessionSummary, policy: Policy): () => Promise<void> {
    const { sessionId } = session;
    const version = sessionVersion(session);
    const keyAtStart = policyKey;
    return async () => {
      const runs = [...(sessions.get(sessionId)?.runs ?? [])].filter(({ id }) => id !== session.lastRun?.runId);
      const isKnown = (runId: string) => runs.some(({ id }) => id === runId);
      try {
        for await (const { run, recording, loops } of ownRuns(context.stores, session, isKnown))
          await analyzer.perform({ type: "run", run: recording, policy }, (analyzed) => {
            if ("facts" in analyzed) runs.push({ ...run, facts: withNoticedLoop(analyzed.facts, loops) });
          });
      } finally {
        if (policyKey === keyAtStart) remember(sessions, sessionId, { version, runs }, MAX_SESSIONS);
      }
    };
  }

  function analyzeFile(file: string, entries: readonly RecordingEntry[], policy: Policy): () => Promise<void> {
    const keyAtStart = policyKey;
    const byLine = new Map(entries.map((entry) => [entry.line, entry]));
    return async () => {
      await analyzer.perform({ type: "file", file, lines: [...byLine.keys()], policy }, (analyzed) => {
        const entry = byLine.get(analyzed.line);
        if (entry === undefined || policyKey !== keyAtStart || !("facts" in analyzed)) return;
        byLine.delete(analyzed.line);
        remember(recordings, entryKey(entry), { ...recordedRun(entry), facts: analyzed.facts }, MAX_RECORDINGS);
      });
      if (policyKey !== keyAtStart) return;
      for (const entry of byLine.values()) remember(recordings, entryKey(entry), undefined, MAX_RECORDINGS);
    };
  }

  return {
    async update(context, { since, policy }) {
      switchPolicy(policy);
      const wantedSessions = (await context.stores.sessions.list())
        .filter((session) => hasRuns(session) && session.updatedAt >= since)
        .slice(0, MAX_SESSIONS);
      const wantedEntries = (await context.recordings.list())
        .filter(({ endedAt, startedAt }) => (endedAt ?? startedAt ?? since) >= since)
        .slice(0, MAX_RECORDINGS);
      const isMissing = (session: SessionSummary) =>
        sessions.get(session.sessionId)?.version !== sessionVersion(session);
      for (const session of wantedSessions)
        if (isMissing(session)) addJob(queue, `session ${session.sessionId}`, analyzeSession(context, session, policy));
      for (const [file, entries] of byFile(wantedEntries.filter((entry) => !recordings.has(entryKey(entry)))))
        addJob(queue, `file ${file}`, analyzeFile(file, entries, policy));
      working ??= work().finally(() => {
        working = undefined;
      });
      await Promise.race([working, waitAtMost(WAIT_MS)]);
      const own = wantedSessions
        .flatMap(({ sessionId }) => sessions.get(sessionId)?.runs ?? [])
        .filter(({ at }) => (at ?? since) >= since);
      const recorded = wantedEntries.flatMap((entry) => recordings.get(entryKey(entry)) ?? []);
      const missing =
        wantedSessions.filter(isMissing).length +
        wantedEntries.filter((entry) => !recordings.has(entryKey(entry))).length;
      const runs = [...own, ...recorded];
      return { runs, done: runs.length, total: runs.length + missing };
    },
  };
}

function addJob(queue: Map<string, () => Promise<void>>, key: string, job: () => Promise<void>): void {
  if (!queue.has(key)) queue.set(key, job);
}

/** Adds a value and forgets the oldest ones beyond a number. */
function remember<T>(cache: Map<string, T>, key: string, value: T, max: number): void {
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (cache.size <= max) return;
    cache.delete(oldest);
  }
}

/** Another content of the file is another recording. */
function entryKey({ id, line, turns, calls, endedAt, costUsd, outcome }: RecordingEntry): string {
  return [id, line, turns, calls, endedAt, costUsd, outcome].join(" ");
}

function recordedRun({ id, source, startedAt, endedAt, outcome }: RecordingEntry): Omit<AnalyzedRun, "facts"> {
  return { id, source, project: null, at: endedAt ?? startedAt, isGood: isGoodOutcome(outcome) };
}

function byFile(entries: readonly RecordingEntry[]): ReadonlyMap<string, readonly RecordingEntry[]> {
  const files = new Map<string, RecordingEntry[]>();
  for (const entry of entries) {
    const own = files.get(entry.file) ?? [];
    own.push(entry);
    files.set(entry.file, own);
  }
  return files;
}

function waitAtMost(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
