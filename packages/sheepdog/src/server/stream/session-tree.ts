import type { Stores } from "@sheepdog/agent";

/**
 * Tells whether a session is the root session, or of a subagent of it. A session with saved events is in the store, so
 * the answer about it is certain. One with live events only may be unknown for a moment.
 */
export type IsWithin = (sessionId: string, rootSessionId: string, kind: "saved" | "live") => Promise<boolean>;

const reloadMs = 1_000;

/** Looks up which session pays for which. The list is read again for sessions that are not known yet. */
export function createSessionTree({ sessions }: Pick<Stores, "sessions">, now: () => number): IsWithin {
  const payers = new Map<string, string>();
  /** Sessions without a run, which may get one: when the list was read for them. */
  const missedAt = new Map<string, number>();
  let readAt = Number.NEGATIVE_INFINITY;
  const payerOf = async (sessionId: string, kind: "saved" | "live"): Promise<string | undefined> => {
    const lastReadAt = kind === "live" ? readAt : (missedAt.get(sessionId) ?? Number.NEGATIVE_INFINITY);
    if (!payers.has(sessionId) && now() - lastReadAt >= reloadMs) {
      readAt = now();
      for (const { sessionId: id, lastRun } of await sessions.list())
        if (lastRun !== undefined) payers.set(id, lastRun.billingSessionId ?? id);
      if (payers.has(sessionId)) missedAt.delete(sessionId);
      else if (kind === "saved") missedAt.set(sessionId, readAt);
    }
    return payers.get(sessionId);
  };
  return async (sessionId, rootSessionId, kind) =>
    sessionId === rootSessionId || (await payerOf(sessionId, kind)) === rootSessionId;
}
