import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { sessionInUseError } from "../lease.ts";
import type { Holder } from "../stores.ts";
import type { CostLedger } from "./cost-ledger.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { rowKeyRange } from "./row-key.ts";

/** Rows deleted in one transaction, which takes a few milliseconds. */
const rowsPerStep = 500;
/** Free pages that the file gives back in one transaction. */
const pagesPerStep = 64;

/**
 * Creates the function that removes sessions. The session disappears with the first transaction. Its remaining rows are
 * deleted in small transactions, so that a long session blocks no other work; `removals` lists the session until all
 * rows are deleted. Deleted text is overwritten, and the file shrinks when it has many free pages.
 */
export function createSessionRemoval(
  { safe, light }: Pick<Sqlite, "safe" | "light">,
  activeHolder: (session: SessionRow | undefined, at: number) => Holder | undefined,
  ledger: Pick<CostLedger, "markUnconfirmed">,
): (sessionId: string, at: number) => Promise<void> {
  const { database } = safe;
  const findSession = database.prepare("SELECT key, holder, renewed_at FROM sessions WHERE id = ?");
  const deleteCheckpoint = database.prepare("DELETE FROM checkpoints WHERE session = ?");
  const deleteSession = database.prepare("DELETE FROM sessions WHERE key = ?");
  const deletions = ["messages", "event_batches", "events", "runs"].map((table) =>
    database.prepare(
      `DELETE FROM ${table} WHERE row_key IN (SELECT row_key FROM ${table} WHERE row_key BETWEEN ? AND ? LIMIT ?)`,
    ),
  );
  const insertRemoval = database.prepare("INSERT INTO removals (session) VALUES (?)");
  const findRemoval = database.prepare("SELECT session FROM removals LIMIT 1");
  const deleteRemoval = database.prepare("DELETE FROM removals WHERE session = ?");
  const countFreePages = database.prepare("SELECT freelist_count AS pages FROM pragma_freelist_count");
  const freePages = () => (countFreePages.get() as { readonly pages: number }).pages; // the selected column

  const deleteRows = (session: number) => {
    let remaining = rowsPerStep;
    for (const deletion of deletions)
      if (remaining > 0) remaining -= Number(deletion.run(...rowKeyRange(session), remaining).changes);
    if (remaining > 0) deleteRemoval.run(session);
  };
  const overwriteDeleted = (work: () => void) => {
    database.exec("PRAGMA secure_delete = ON");
    try {
      work();
    } finally {
      database.exec("PRAGMA secure_delete = FAST");
    }
  };
  const removeSession = (sessionId: string, at: number) => {
    const session = findSession.get(sessionId) as SessionRow | undefined; // the selected columns
    const holder = activeHolder(session, at);
    if (holder !== undefined) throw sessionInUseError(sessionId, holder);
    if (session === undefined) return;
    ledger.markUnconfirmed(sessionId); // afterwards nothing tells whose they were
    overwriteDeleted(() => {
      deleteCheckpoint.run(session.key);
      deleteSession.run(session.key);
      insertRemoval.run(session.key);
      deleteRows(session.key);
    });
  };
  /** Also deletes rows that a killed process left behind. Returns whether rows may be left. */
  const deleteMoreRows = () => {
    const removal = findRemoval.get() as { readonly session: number } | undefined; // the selected column
    if (removal !== undefined) overwriteDeleted(() => deleteRows(removal.session));
    return removal !== undefined;
  };
  /** Returns whether the file has become smaller. */
  const shrinkFile = () => {
    const pages = freePages();
    if (pages >= pagesPerStep) database.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`);
    return freePages() < pages;
  };

  return async (sessionId, at) => {
    await safe.write(() => removeSession(sessionId, at));
    try {
      for (const step of [deleteMoreRows, shrinkFile]) while (await light.write(step)) await nextEventLoopTurn();
    } catch {
      // The session is removed; the next removal deletes the remaining rows.
    }
  };
}

interface SessionRow {
  readonly key: number;
  readonly holder: string | null;
  readonly renewed_at: number;
}
