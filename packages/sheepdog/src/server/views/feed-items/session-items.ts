import type { SessionSummary, Stores } from "@sheepdog/agent";
import type { FeedItem } from "@sheepdog/web/contract";
import { createSummaryContext } from "../../../saved-runs/list-runs.ts";
import { sessionData } from "../run-index/run-index.ts";
import { feedItems } from "./feed-items.ts";

/** The items of a session by the number of their event. */
export type SessionItems = ReadonlyMap<number, Omit<FeedItem, "position">>;

interface CachedItems {
  readonly stamp: string;
  readonly items: SessionItems;
}

/** Sessions whose items are kept in memory. */
const MAX_SESSIONS = 200;
const caches = new WeakMap<Stores, Map<string, CachedItems>>();
const noItems: SessionItems = new Map();

/** Reads the items of sessions, each again only if it has changed. */
export async function createItemReader(
  stores: Stores,
  at: number,
): Promise<(sessionId: string) => Promise<SessionItems>> {
  const sessions = new Map((await stores.sessions.list()).map((session) => [session.sessionId, session]));
  const cache = caches.get(stores) ?? new Map<string, CachedItems>();
  caches.set(stores, cache);
  return async (sessionId) => {
    const session = sessions.get(sessionId);
    if (session === undefined) return noItems;
    const stamp = `${session.updatedAt} ${session.messages} ${session.lastRun?.state}`;
    const cached = cache.get(sessionId);
    cache.delete(sessionId); // the one that was used last comes last
    const items = cached?.stamp === stamp ? cached.items : await readItems(session, stores, at);
    cache.set(sessionId, { stamp, items });
    const [oldest] = cache.keys();
    if (cache.size > MAX_SESSIONS && oldest !== undefined) cache.delete(oldest);
    return items;
  };
}

async function readItems(session: SessionSummary, stores: Stores, at: number): Promise<SessionItems> {
  try {
    const runs = await sessionData(session, createSummaryContext(stores, [session], at));
    return new Map(runs.flatMap(feedItems).map((item) => [item.seq, item]));
  } catch {
    return noItems; // the list of runs says that it cannot be read, and why
  }
}
