import { setImmediate as nextTurn } from "node:timers/promises";
import { sessionInUseError } from "../lease.ts";
import type { Holder } from "../stores.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { rowKeyRange } from "./row-key.ts";

/** How many rows go in one step: a few milliseconds' work. */
const rowsAtOnce = 500;
/** How many free pages the file gives back in one step. */
const pagesAtOnce = 64;

/** Who writes to a session, by its row. */
interface Row {
  readonly key: number;
  readonly holder: string | null;
  readonly renewed_at: number;
}

/**
 * Removes sessions. One is gone with the first step; rows that it has besides go step by step, so that a long one stalls nobody, and `removals` names it until
 * all of them are gone. Removed text is overwritten, and a file that has become too large for what is in it gets smaller.
 */
export function createSessionRemoval(
  { safe, light }: Pick<Sqlite, "safe" | "light">,
  holderOf: (row: Row | undefined, at: number) => Holder | undefined,
): (sessionId: string, at: number) => Promise<void> {
  const { database } = safe;
  const find = database.prepare("SELECT key, holder, renewed_at FROM sessions WHERE id = ?");
  const small = ["checkpoints WHERE session", "checkpoint_changes WHERE session", "sessions WHERE key"].map((row) =>
    database.prepare(`DELETE FROM ${row} = ?`),
  );
  const large = ["messages", "events", "runs"].map((table) =>
    database.prepare(
      `DELETE FROM ${table} WHERE place IN (SELECT place FROM ${table} WHERE place BETWEEN ? AND ? LIMIT ?)`,
    ),
  );
  const begin = database.prepare("INSERT INTO removals (session) VALUES (?)");
  const next = database.prepare("SELECT session FROM removals LIMIT 1");
  const end = database.prepare("DELETE FROM removals WHERE session = ?");
  const freePages = database.prepare("SELECT freelist_count AS pages FROM pragma_freelist_count");
  const free = () => (freePages.get() as { readonly pages: number }).pages; // as asked for

  const removeRows = (session: number) => {
    let left = rowsAtOnce;
    for (const removal of large) if (left > 0) left -= Number(removal.run(...rowKeyRange(session), left).changes);
    if (left > 0) end.run(session);
  };
  const overwriting = (act: () => void) => () => {
    database.exec("PRAGMA secure_delete = ON");
    try {
      act();
    } finally {
      database.exec("PRAGMA secure_delete = FAST");
    }
  };
  const hasStep = {
    /** Also what a process has left that was killed. */
    rows() {
      const found = next.get() as { readonly session: number } | undefined; // the column asked for
      if (found !== undefined) overwriting(() => removeRows(found.session))();
      return found !== undefined;
    },
    pages() {
      const before = free();
      if (before >= pagesAtOnce) database.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      return free() < before;
    },
  };

  return async (sessionId, at) => {
    await safe.write(() => {
      const session = find.get(sessionId) as Row | undefined; // the columns asked for
      const holding = holderOf(session, at);
      if (holding !== undefined) throw sessionInUseError(sessionId, holding);
      if (session === undefined) return;
      overwriting(() => {
        for (const removal of small) removal.run(session.key);
        begin.run(session.key);
        removeRows(session.key);
      })();
    });
    try {
      for (const step of [hasStep.rows, hasStep.pages]) while (await light.write(step)) await nextTurn();
    } catch {
      // The session is gone; what is left of its rows goes with the next removal.
    }
  };
}
