import { basename } from "node:path";
import type { Home } from "../../home.ts";
import { type AttachedSession, attachedSession, attachedSpools } from "./attached-sessions.ts";

/**
 * Sessions of attached agents whose id, or the id of whose recording, begins with a text; `last` is the newest one.
 * Opens only spools that may be meant: there is one for each session that ever was.
 */
export async function findAttachedSessions(text: string, home: Home): Promise<readonly AttachedSession[]> {
  const found: AttachedSession[] = [];
  for (const spool of await attachedSpools(home)) {
    if (!mayBeMeant(basename(spool.file), text)) continue;
    const session = await attachedSession(spool);
    if (session === undefined) continue;
    if (text === "last") return [session];
    if (session.id.startsWith(text) || session.sessionId.startsWith(text)) found.push(session);
  }
  const exact = found.find(({ id, sessionId }) => id === text || sessionId === text);
  return exact === undefined ? found : [exact];
}

/** A spool is named after its session, or `session-` and a hash of it. The id of a recording is in no name. */
function mayBeMeant(name: string, text: string): boolean {
  return text === "last" || text.startsWith("rec_") || name.startsWith(text) || name.startsWith("session-");
}
