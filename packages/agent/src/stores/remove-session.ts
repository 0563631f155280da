import { logFolderOf, removeLogFolder } from "../logs/log-folders.ts";
import type { Stores } from "./stores.ts";

/**
 * Removes a session and its logs; the cost ledger keeps its rows. Returns the number of removed log bytes.
 * Rejects and removes nothing while a process holds the session.
 */
export async function removeSession(
  stores: Stores,
  { sessionId, logDir, at }: { readonly sessionId: string; readonly logDir?: string; readonly at: number },
): Promise<{ readonly logBytes: number }> {
  await stores.sessions.remove(sessionId, at);
  let logBytes = 0;
  for (const folder of logDir === undefined ? [] : await logFolderOf(logDir, sessionId)) {
    await removeLogFolder(folder);
    logBytes += folder.bytes;
  }
  return { logBytes };
}
