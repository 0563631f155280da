import type { Stores } from "@sheepdog/agent";

/** Tells whether a session is the root session, or of a subagent of it. */
export type IsWithin = (sessionId: string, rootSessionId: string) => Promise<boolean>;

const reloadMs = 1_000;

/** Looks up which session pays for which. The list is read again for sessions that are not known yet. */
export function createSessionTree({ sessions }: Pick<Stores, "sessions">, now: () => number): IsWithin {
  const payers = new Map<string, string>();
  let readAt = Number.NEGATIVE_INFINITY;
  const payerOf = async (sessionId: string): Promise<string | undefined> => {
    if (!payers.has(sessionId) && now() - readAt >= reloadMs) {
      readAt = now();
      for (const { sessionId: id, lastRun } of await sessions.list())
        if (lastRun !== undefined) payers.set(id, lastRun.billingSessionId ?? id);
    }
    return payers.get(sessionId);
  };
  return async (sessionId, rootSessionId) =>
    sessionId === rootSessionId || (await payerOf(sessionId)) === rootSessionId;
}
