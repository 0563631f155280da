import { eventsAfter } from "../saved-events.ts";
import type { EventBatch, EventStore } from "../stores.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { rowKeyRange, rowKeysPerSession } from "./row-key.ts";

/** The events of a database. A batch is one row of events. */
export function sqliteEvents({ light }: Pick<Sqlite, "light">): EventStore {
  const { database } = light;
  const findSession = database.prepare("SELECT key FROM sessions WHERE id = ?");
  const findEvents = database.prepare("SELECT json FROM events WHERE row_key > ? AND row_key <= ? ORDER BY row_key");
  // A removed session is gone at once, although some of its rows are deleted later. CROSS JOIN: positions come first.
  const batches = `event_batches CROSS JOIN sessions ON sessions.key = event_batches.row_key / ${rowKeysPerSession}`;
  const select = `SELECT position, id AS session_id, json FROM ${batches} CROSS JOIN events USING (row_key)`;
  const findAfter = database.prepare(`${select} WHERE position > ? ORDER BY position LIMIT ?`);
  const findBefore = database.prepare(`${select} WHERE position < ? ORDER BY position DESC LIMIT ?`);
  const findLast = database.prepare(`SELECT position FROM ${batches} ORDER BY position DESC LIMIT 1`);

  return {
    after: (sessionId, seq, limit) =>
      light.read(() => {
        const session = findSession.get(sessionId) as { readonly key: number } | undefined; // the selected column
        if (session === undefined) return [];
        const [first, last] = rowKeyRange(session.key);
        const rows = findEvents.iterate(Math.min(last, first + Math.max(0, seq)), last);
        return eventsAfter(jsonOf(rows as Iterable<{ readonly json: string }>), seq, limit); // the selected column
      }),
    batchesAfter: (position, limit) => light.read(() => toBatches(findAfter.all(position, rowCount(limit)))),
    batchesBefore: (position, limit) => light.read(() => toBatches(findBefore.all(position, rowCount(limit)))),
    lastPosition: () => light.read(() => (findLast.get() as Pick<BatchRow, "position"> | undefined)?.position ?? 0),
  };
}

function* jsonOf(rows: Iterable<{ readonly json: string }>): Generator<string> {
  for (const { json } of rows) yield json;
}

interface BatchRow {
  readonly position: number;
  readonly session_id: string;
  readonly json: string;
}

function toBatches(rows: readonly unknown[]): readonly EventBatch[] {
  return (rows as readonly BatchRow[]).map(({ position, session_id, json }) => ({
    position,
    sessionId: session_id,
    events: eventsAfter([json], 0),
  })); // the selected columns
}

/** A negative limit of SQLite means no limit. */
function rowCount(limit: number): number {
  return Math.max(0, Math.trunc(limit));
}
