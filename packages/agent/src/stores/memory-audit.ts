import type { AuditRow } from "../protocol/audit.ts";
import { auditEntries } from "./audit-entries.ts";
import type { AuditStore, SavedAuditRow } from "./stores.ts";

/** The audit trail in memory, with the operation that commits need. */
export interface MemoryAudit extends AuditStore {
  /** Throws and adds nothing if a row is not JSON. */
  add(rows: readonly AuditRow[]): void;
}

/** Creates an empty audit trail. Rows are stored as JSON, so that they are copied on write and on read. */
export function createMemoryAudit(): MemoryAudit {
  let rows: StoredRow[] = [];
  let lastSeq = 0;
  return {
    add(added) {
      const stored = added.map((row, index) => ({ seq: lastSeq + index + 1, at: row.at, json: JSON.stringify(row) }));
      rows.push(...stored);
      lastSeq += stored.length;
    },
    list: async (filter) => auditEntries(rows.toReversed().map(parseRow), filter),
    rowsAfter: async (seq, limit) =>
      rows
        .filter((row) => row.seq > seq)
        .slice(0, Math.max(0, limit))
        .map(parseRow),
    lastSeq: async () => lastSeq,
    async removeBefore(at, { isDryRun = false } = {}) {
      const kept = rows.filter((row) => row.at >= at);
      const count = rows.length - kept.length;
      if (!isDryRun) rows = kept;
      return count;
    },
  };
}

interface StoredRow {
  readonly seq: number;
  readonly at: number;
  readonly json: string;
}

function parseRow({ seq, json }: StoredRow): SavedAuditRow {
  return { seq, row: JSON.parse(json) as AuditRow }; // written by this store
}
