import type { SessionSummary, Stores } from "@sheepdog/agent";
import { type RunSummary, type SummaryContext, summarizeRuns } from "./run-summary.ts";

/** Which runs to list. */
export interface RunFilter {
  readonly at: number;
  readonly limit: number;
  readonly isWanted?: (run: RunSummary) => boolean;
  /** Runs that ended earlier are left out. */
  readonly since?: number;
  /** Read only sessions that a process has claimed. */
  readonly isHeldOnly?: boolean;
}

/** A list of runs, and whether there are more. */
export interface RunList {
  readonly runs: readonly RunSummary[];
  readonly hasMore: boolean;
}

/** Lists the newest runs, with subagents below the run that started them. Reads only as many sessions as needed. */
export async function listRuns(
  stores: Stores,
  { at, limit, isWanted = () => true, since = Number.NEGATIVE_INFINITY, isHeldOnly = false }: RunFilter,
): Promise<RunList> {
  const sessions = await stores.sessions.list();
  const context = createSummaryContext(stores, sessions, at);
  const sessionIds = new Set(sessions.map(({ sessionId }) => sessionId));
  const runs: RunSummary[] = [];
  for (const session of sessions) {
    const payer = session.lastRun?.billingSessionId;
    // A subagent is listed below its parent, unless the parent was removed.
    if (session.lastRun === undefined || (payer !== undefined && sessionIds.has(payer))) continue;
    if (isHeldOnly && session.holder === undefined) continue;
    const oldestNeeded = runs.length > limit ? startedAt(runs[limit]) : Number.NEGATIVE_INFINITY;
    if (session.updatedAt < since || session.updatedAt < oldestNeeded) break; // all following sessions are older
    const summaries = await summarizeRuns(session, context);
    runs.push(...summaries.filter((summary) => (summary.run.endedAt ?? at) >= since && isWanted(summary)));
    runs.sort((a, b) => startedAt(b) - startedAt(a));
  }
  return { runs: runs.slice(0, limit), hasMore: runs.length > limit };
}

/** What summarizing a session needs to know about the other sessions. */
export function createSummaryContext(stores: Stores, sessions: readonly SessionSummary[], at: number): SummaryContext {
  const subagents = new Map<string, SessionSummary[]>();
  for (const session of sessions.toReversed()) {
    const payer = session.lastRun?.billingSessionId;
    if (payer !== undefined) subagents.set(payer, [...(subagents.get(payer) ?? []), session]);
  }
  return { stores, at, subagents };
}

function startedAt(summary: RunSummary | undefined): number {
  return summary?.run.startedAt ?? Number.NEGATIVE_INFINITY;
}
