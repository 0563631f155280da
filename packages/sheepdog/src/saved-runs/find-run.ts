import type { RunLocation, SessionSummary, Stores } from "@sheepdog/agent";
import { isId } from "../compose/ids.ts";
import { createSummaryContext } from "./list-runs.ts";
import { type RunSummary, summarizeRuns } from "./run-summary.ts";

/** A run, or why it was not found. */
export type FoundRun =
  | { readonly ok: true; readonly summary: RunSummary }
  | { readonly ok: false; readonly problem: string };

/**
 * Finds a run by a text: `last`, the id of a run, the id of a session (its last run), or the unique start of either id.
 */
export async function findRun(stores: Stores, text: string, at: number): Promise<FoundRun> {
  if (!isId(text)) {
    const problem = "this is not the id of a run or session; see the ids with: sheepdog runs";
    return { ok: false, problem };
  }
  const sessions = await stores.sessions.list();
  const reference = await findRunReference(stores, sessions, text);
  if (typeof reference === "string") return { ok: false, problem: reference };
  const summaries = await summarizeRuns(reference.session, createSummaryContext(stores, sessions, at));
  const summary = summaries.find(({ run }) => run.runId === reference.runId);
  return summary === undefined ? { ok: false, problem: unknownRun(text) } : { ok: true, summary };
}

/** A run, and the session that it belongs to. */
export interface RunReference {
  readonly session: SessionSummary;
  readonly runId: string;
}

/** Finds a run in the same way without reading its session; a sentence if there is none. */
export async function findRunReference(
  stores: Stores,
  sessions: readonly SessionSummary[],
  text: string,
): Promise<RunReference | string> {
  if (text === "last") return lastRun(sessions);
  const exact = sessions.find(({ sessionId, lastRun }) => sessionId === text || lastRun?.runId === text);
  if (exact?.lastRun !== undefined) return { session: exact, runId: exact.lastRun.runId };
  const bySession = sessions.filter(({ sessionId }) => sessionId.startsWith(text));
  const byRun = await stores.sessions.findRuns(text, MAX_MATCHES);
  const exactRun = byRun.find(({ runId }) => runId === text);
  const matches: readonly RunMatch[] = [
    ...bySession.flatMap(({ sessionId, lastRun }) =>
      lastRun === undefined ? [] : [{ id: sessionId, sessionId, runId: lastRun.runId }],
    ),
    ...byRun.map((run) => ({ id: run.runId, ...run })),
  ];
  const ids = matches.map(({ id }) => id);
  if (exactRun === undefined && ids.length > 1) return ambiguousRun(text, ids);
  const match = exactRun ?? matches[0];
  const session = sessions.find(({ sessionId }) => sessionId === match?.sessionId);
  return session === undefined || match === undefined ? unknownRun(text) : { session, runId: match.runId };
}

interface RunMatch extends RunLocation {
  /** The id that starts with the text. */
  readonly id: string;
}

/** The run that was started last and is not a subagent's. */
function lastRun(sessions: readonly SessionSummary[]): RunReference | string {
  const startedAt = ({ lastRun }: SessionSummary) => lastRun?.startedAt ?? 0;
  const [session] = sessions
    .filter(({ lastRun }) => lastRun !== undefined && lastRun.billingSessionId === undefined)
    .toSorted((one, other) => startedAt(other) - startedAt(one));
  return session?.lastRun === undefined ? "there are no runs yet" : { session, runId: session.lastRun.runId };
}

function unknownRun(text: string): string {
  return `there is no run or session ${text}; see all with: sheepdog runs`;
}

const MAX_CANDIDATES = 5;
const MAX_MATCHES = 100;

function ambiguousRun(text: string, ids: readonly string[]): string {
  const others = ids.length > MAX_MATCHES ? "many" : ids.length - MAX_CANDIDATES;
  const more = ids.length > MAX_CANDIDATES ? `, and ${others} more` : "";
  return `${text} matches ${ids.slice(0, MAX_CANDIDATES).join(", ")}${more}; type more of the id`;
}
