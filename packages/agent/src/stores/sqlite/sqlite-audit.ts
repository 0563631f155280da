import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { SqliteDatabase } from "@sheepdog/records";
import type { AuditRow } from "../../protocol/audit.ts";
import { auditEntries } from "../audit-entries.ts";
import type { AuditStore, SavedAuditRow } from "../stores.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { ownRows } from "./row-validation.ts";

/** Rows deleted in one transaction, which takes a few milliseconds. */
const rowsPerStep = 500;

/** The audit trail of a database: one table that rows are appended to. */
export function sqliteAudit({ safe, light, onForeignRow }: Omit<Sqlite, "path" | "close">): AuditStore {
  const { database } = light;
  // What belongs to a decision is never older than it, so a filter by time keeps both. The same holds for sessions.
  const findNewest = database.prepare(
    `SELECT n, at, session_id, json FROM audit
     WHERE at >= ?1 AND n > ?2 AND (?3 IS NULL OR session_id = ?3) ORDER BY n DESC`,
  );
  const findAfter = database.prepare("SELECT n, at, session_id, json FROM audit WHERE n > ? ORDER BY n LIMIT ?");
  const findLast = database.prepare("SELECT coalesce(max(n), 0) AS n FROM audit");
  const countOld = database.prepare("SELECT count(*) AS n FROM audit WHERE at < ?");
  const deleteOld = database.prepare(
    "DELETE FROM audit WHERE n IN (SELECT n FROM audit WHERE at < ? ORDER BY n LIMIT ?)",
  );
  const numberOf = (row: unknown) => (row as { readonly n: number }).n; // the selected column

  return {
    list: (filter = {}) =>
      light.read(() => {
        const rows = findNewest.iterate(filter.since ?? 0, filter.after ?? 0, filter.sessionId ?? null);
        return auditEntries(parseRows(rows, onForeignRow), filter);
      }),
    rowsAfter: (seq, limit) =>
      light.read(() => [...parseRows(findAfter.all(seq, Math.max(0, Math.trunc(limit))), onForeignRow)]),
    lastSeq: () => light.read(() => numberOf(findLast.get())),
    async removeBefore(at, { isDryRun = false } = {}) {
      const count = await light.read(() => numberOf(countOld.get(at)));
      if (isDryRun) return count;
      let removed = 0;
      for (let step = rowsPerStep; step === rowsPerStep; removed += step) {
        step = await safe.write(() => Number(deleteOld.run(at, rowsPerStep).changes));
        await nextEventLoopTurn();
      }
      return removed;
    },
  };
}

/** Prepares the statement that appends rows within a transaction. */
export function createAuditWriter(database: SqliteDatabase): (rows: readonly AuditRow[]) => void {
  const insert = database.prepare("INSERT INTO audit (at, session_id, json) VALUES (?, ?, ?)");
  return (rows) => {
    for (const { at, sessionId, ...rest } of rows) insert.run(at, sessionId, JSON.stringify(rest));
  };
}

interface StoredRow {
  readonly n: number;
  readonly at: number;
  readonly session_id: string;
  readonly json: string;
}

function* parseRows(rows: Iterable<unknown>, onForeignRow?: () => void): Generator<SavedAuditRow> {
  for (const { n, at, session_id, json } of ownRows<StoredRow>("audit", rows, onForeignRow))
    yield { seq: n, row: { ...JSON.parse(json), at, sessionId: session_id } as AuditRow }; // checked
}
