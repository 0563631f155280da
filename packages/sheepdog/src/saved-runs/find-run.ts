import type { SavedRun, SessionSummary, Stores } from "@sheepdog/agent";
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
  const reference = text === "last" ? lastRun(sessions) : await findReference(stores, sessions, text);
  if (typeof reference === "string") return { ok: false, problem: reference };
  const summaries = await summarizeRuns(reference.session, createSummaryContext(stores, sessions, at));
  const summary = summaries.find(({ run }) => run.runId === reference.runId);
  return summary === undefined ? { ok: false, problem: unknownRun(text) } : { ok: true, summary };
}

interface RunReference {
  readonly session: SessionSummary;
  readonly runId: string;
}

/** The run that was started last and is not a subagent's. */
function lastRun(sessions: readonly SessionSummary[]): RunReference | string {
  const startedAt = ({ lastRun }: SessionSummary) => lastRun?.startedAt ?? 0;
  const [session] = sessions
    .filter(({ lastRun }) => lastRun !== undefined && lastRun.billingSessionId === undefined)
    .toSorted((one, other) => startedAt(other) - startedAt(one));
  return session?.lastRun === undefined ? "there are no runs yet" : { session, runId: session.lastRun.runId };
}

async function findReference(
  stores: Stores,
  sessions: readonly SessionSummary[],
  text: string,
): Promise<RunReference | string> {
  const exact = sessions.find(
    ({ sessionId, lastRun }) => lastRun !== undefined && (sessionId === text || lastRun.runId === text),
  );
  if (exact?.lastRun !== undefined) return { session: exact, runId: exact.lastRun.runId };
  const matches = sessions.flatMap((session) => matchPrefix(session, session.lastRun, text));
  const earlierRunIds = (await stores.costs.sums("run"))
    .map(({ key }) => key)
    .filter((runId) => runId.startsWith(text) && !matches.some((match) => match.runId === runId));
  if (matches.length + earlierRunIds.length > 1)
    return ambiguousRun(text, [...matches.map(({ id }) => id), ...earlierRunIds]);
  return matches[0] ?? (await findEarlierRun(stores, sessions, text)) ?? unknownRun(text);
}

/** A session whose own id, or the id of its last run, starts with the text. */
function matchPrefix(
  session: SessionSummary,
  lastRun: SavedRun | undefined,
  text: string,
): readonly (RunReference & { readonly id: string })[] {
  if (lastRun === undefined) return [];
  const id = [session.sessionId, lastRun.runId].find((candidate) => candidate.startsWith(text));
  return id === undefined ? [] : [{ session, runId: lastRun.runId, id }];
}

/**
 * Loads the sessions one by one: their list contains only last runs. One that cannot be read hides no run of another;
 * rejects only if no other session has the run.
 */
async function findEarlierRun(
  stores: Stores,
  sessions: readonly SessionSummary[],
  text: string,
): Promise<RunReference | undefined> {
  const failures: unknown[] = [];
  for (const session of sessions) {
    try {
      const { runs } = await stores.sessions.load(session.sessionId);
      const run = runs.find(({ runId }) => runId.startsWith(text));
      if (run !== undefined) return { session, runId: run.runId };
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
}

function unknownRun(text: string): string {
  return `there is no run or session ${text}; see all with: sheepdog runs`;
}

const MAX_CANDIDATES = 5;

function ambiguousRun(text: string, ids: readonly string[]): string {
  const more = ids.length > MAX_CANDIDATES ? `, and ${ids.length - MAX_CANDIDATES} more` : "";
  return `${text} matches ${ids.slice(0, MAX_CANDIDATES).join(", ")}${more}; type more of the id`;
}
