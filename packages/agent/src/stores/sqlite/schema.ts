import type { SqliteDatabase } from "@sheepdog/records";
import { DatabaseError, rebuildHint } from "./errors.ts";

/** Tells our databases from those of other programs: "shdg". */
const applicationId = 0x73686467;

const schemaVersion = 1;

/** Page size in bytes. A turn's rows waste less space on pages of this size than on SQLite's default pages. */
export const pageSize = 8_192;

/**
 * - Rows of a session are keyed by one integer (see row-key.ts): each table is one tree, and the rows of a session are
 *   adjacent. Everything that every commit changes is in one row of `sessions`, whose key is never reused.
 *   `removals` lists removed sessions that still have rows (see session-removal.ts).
 * - `event_batches` is one order for the events of all sessions; a batch is the row of `events` with the same key.
 *   Positions are never reused. They start at the time of creation in milliseconds: a new database that replaces a lost
 *   or damaged one gives out higher positions than the old one did, which had fewer commits than milliseconds. So a
 *   reader that comes back with an old position misses nothing.
 * - The cost ledger refers to sessions by name, because its rows outlive them. Reserved amounts are summed from
 *   `reservations`, which has few rows. `possible` and `correction` are JSON: what a request in flight can have used so
 *   far, and a user's correction of an unconfirmed request.
 * - Rows of the audit trail are only appended, and nothing refers to them.
 */
const schema = `
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at REAL,
  updated_at REAL,
  messages INTEGER NOT NULL DEFAULT 0,
  last_seq INTEGER NOT NULL DEFAULT 0,
  runs INTEGER NOT NULL DEFAULT 0,
  run_id TEXT,
  unanswered_calls TEXT NOT NULL DEFAULT '[]',
  fence INTEGER NOT NULL,
  holder TEXT,
  renewed_at REAL NOT NULL
) STRICT;
CREATE TABLE fences (last INTEGER NOT NULL) STRICT;
INSERT INTO fences VALUES (0);

CREATE TABLE messages (row_key INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE events (row_key INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE event_batches (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  row_key INTEGER NOT NULL UNIQUE
) STRICT;
INSERT INTO sqlite_sequence (name, seq)
  VALUES ('event_batches', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
CREATE TABLE runs (row_key INTEGER PRIMARY KEY, run_id TEXT NOT NULL, json TEXT NOT NULL) STRICT;
CREATE INDEX runs_run_id ON runs (run_id);
CREATE TABLE checkpoints (session INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;

CREATE TABLE removals (session INTEGER PRIMARY KEY) STRICT;

CREATE TABLE reservations (
  session_id TEXT NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL, model TEXT NOT NULL, at REAL NOT NULL,
  input REAL NOT NULL, cache_read REAL NOT NULL, cache_write REAL NOT NULL, output REAL NOT NULL,
  is_estimated INTEGER NOT NULL, cost_nano_usd INTEGER, purpose TEXT NOT NULL,
  possible TEXT,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE costs (
  session_id TEXT NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL, model TEXT NOT NULL, at REAL NOT NULL,
  input REAL NOT NULL, cache_read REAL NOT NULL, cache_write REAL NOT NULL, output REAL NOT NULL,
  is_estimated INTEGER NOT NULL, cost_nano_usd INTEGER, purpose TEXT NOT NULL,
  is_confirmed INTEGER NOT NULL,
  correction TEXT,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE balances (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  spent INTEGER NOT NULL CHECK (spent BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (n INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, json TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE fact_words USING fts5(
  words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
);

CREATE TABLE audit (
  n INTEGER PRIMARY KEY, at REAL NOT NULL, session_id TEXT NOT NULL, json TEXT NOT NULL
) STRICT;
CREATE INDEX audit_session ON audit (session_id);
CREATE TABLE lessons (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, json TEXT NOT NULL) STRICT;
`;

/** Throws when another program made the database, or when its schema has another version. */
export function checkSchema(database: SqliteDatabase, path: string): void {
  if (pragma(database, "application_id") !== applicationId)
    throw new DatabaseError(`The database ${path} is another program's. Move it away.`, "SQLITE_MISMATCH");
  const version = pragma(database, "user_version");
  if (version === schemaVersion) return;
  throw new DatabaseError(
    `The database ${path} has schema version ${version}, and this program uses version ${schemaVersion}. ` +
      rebuildHint,
    "SQLITE_SCHEMA",
  );
}

/** Gives an empty database its schema. */
export function createSchema(database: SqliteDatabase): void {
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE`);
  database.exec(schema);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
  database.exec("COMMIT");
}

function pragma(database: SqliteDatabase, name: string): number {
  const row = database.prepare(`SELECT ${name} AS value FROM pragma_${name}`).get();
  return (row as { readonly value: number }).value; // the selected column
}
