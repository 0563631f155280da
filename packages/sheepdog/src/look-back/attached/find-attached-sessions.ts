import type { Home } from "../../home.ts";
import { type AttachedSession, attachedSessions } from "./attached-sessions.ts";

/** Sessions of attached agents whose id, or the id of whose recording, begins with a text; `last` is the newest one. */
export async function findAttachedSessions(text: string, home: Home): Promise<readonly AttachedSession[]> {
  const sessions = await attachedSessions(home);
  if (text === "last") return sessions.slice(0, 1);
  const exact = sessions.find(({ id, sessionId }) => id === text || sessionId === text);
  if (exact !== undefined) return [exact];
  return sessions.filter(({ id, sessionId }) => id.startsWith(text) || sessionId.startsWith(text));
}
