import type { SessionSummary, Stores } from "@sheepdog/agent";
import { type Around, type RunSummary, summarizeRuns } from "./run-summary.ts";

/** Which runs are wanted. */
export interface Wanted {
  readonly at: number;
  readonly limit: number;
  readonly isWanted?: (run: RunSummary) => boolean;
  /** Runs that ended before are not looked at. */
  readonly since?: number;
  /** Only sessions that somebody has claimed are read. */
  readonly isHeldOnly?: boolean;
}

/** Runs, and whether there are more. */
export interface ListedRuns {
  readonly runs: readonly RunSummary[];
  readonly hasMore: boolean;
}

/** The newest runs, those of subagents below the ones that started them. No more sessions are read than it takes. */
export async function listRuns(
  stores: Stores,
  { at, limit, isWanted = () => true, since = Number.NEGATIVE_INFINITY, isHeldOnly = false }: Wanted,
): Promise<ListedRuns> {
  const summaries = await stores.sessions.list();
  const around = aroundOf(stores, summaries, at);
  const known = new Set(summaries.map(({ sessionId }) => sessionId));
  const found: RunSummary[] = [];
  for (const summary of summaries) {
    const payer = summary.lastRun?.billingSessionId;
    if (summary.lastRun === undefined || (payer !== undefined && known.has(payer))) continue; // a subagent whose parent is gone stands for itself
    if (isHeldOnly && summary.holder === undefined) continue;
    const enough = found.length > limit ? startedAt(found[limit]) : Number.NEGATIVE_INFINITY;
    if (summary.updatedAt < since || summary.updatedAt < enough) break; // the ones after it are older still
    const runs = await summarizeRuns(summary, around);
    found.push(...runs.filter((run) => (run.run.endedAt ?? at) >= since && isWanted(run)));
    found.sort((one, other) => startedAt(other) - startedAt(one));
  }
  return { runs: found.slice(0, limit), hasMore: found.length > limit };
}

/** What is known of the sessions of a list. */
export function aroundOf(stores: Stores, summaries: readonly SessionSummary[], at: number): Around {
  const children = new Map<string, SessionSummary[]>();
  for (const summary of summaries.toReversed()) {
    const payer = summary.lastRun?.billingSessionId;
    if (payer === undefined) continue;
    const known = children.get(payer);
    if (known === undefined) children.set(payer, [summary]);
    else known.push(summary);
  }
  return { stores, at, children };
}

function startedAt(run: RunSummary | undefined): number {
  return run?.run.startedAt ?? Number.NEGATIVE_INFINITY;
}
