/**
 * The first schema.
 *
 * - Rows of a session are keyed by one integer (see row-key.ts): each table is one tree, and the rows of a session are
 *   adjacent. Everything that every commit changes is in one row of `sessions`.
 * - `sessions.key` is never reused. So two databases that have different sessions under one key can be distinguished
 *   (see log-owner.ts). `removals` lists removed sessions that still have rows (see session-removal.ts).
 * - The cost ledger refers to sessions by name, because its rows outlive them. Reserved amounts are summed from
 *   `reservations`, which has few rows.
 */
const first = `
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
CREATE TABLE runs (row_key INTEGER PRIMARY KEY, run_id TEXT NOT NULL, json TEXT NOT NULL) STRICT;
CREATE TABLE checkpoints (session INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;

CREATE TABLE removals (session INTEGER PRIMARY KEY) STRICT;

CREATE TABLE reservations (
  session_id TEXT NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL, model TEXT NOT NULL, at REAL NOT NULL,
  input REAL NOT NULL, cache_read REAL NOT NULL, cache_write REAL NOT NULL, output REAL NOT NULL,
  is_estimated INTEGER NOT NULL, cost_nano_usd INTEGER,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE costs (
  session_id TEXT NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL, model TEXT NOT NULL, at REAL NOT NULL,
  input REAL NOT NULL, cache_read REAL NOT NULL, cache_write REAL NOT NULL, output REAL NOT NULL,
  is_estimated INTEGER NOT NULL, cost_nano_usd INTEGER,
  is_confirmed INTEGER NOT NULL,
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
`;

/** What each request was for. */
const purposes = `
ALTER TABLE reservations ADD COLUMN purpose TEXT NOT NULL DEFAULT 'turn';
ALTER TABLE costs ADD COLUMN purpose TEXT NOT NULL DEFAULT 'turn';
`;

/**
 * The audit trail, and the lessons. Rows of the trail are only appended, and nothing refers to them.
 */
const safety = `
CREATE TABLE audit (
  n INTEGER PRIMARY KEY, at REAL NOT NULL, session_id TEXT NOT NULL, json TEXT NOT NULL
) STRICT;
CREATE TABLE lessons (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, json TEXT NOT NULL) STRICT;
`;

/** What a request in flight can have used so far, and a user's correction of an unconfirmed request, as JSON. */
const possibleUse = `
ALTER TABLE reservations ADD COLUMN possible TEXT;
ALTER TABLE costs ADD COLUMN correction TEXT;
`;

/** A further run of a session reads what earlier ones wrote. */
const auditBySession = `
CREATE INDEX audit_session ON audit (session_id);
`;

/** A batch for each row of events that has none, in order of time; the rows of a session keep their order. */
export const addMissingBatches = `
INSERT INTO event_batches (row_key)
  SELECT row_key FROM (
    SELECT row_key, CASE WHEN json_valid(json) THEN json_extract(json, '$[0].at') END AS at FROM events
    WHERE row_key NOT IN (SELECT row_key FROM event_batches)
  ) ORDER BY max(at) OVER (PARTITION BY row_key / 1073741824 ORDER BY row_key), row_key;
`;

/**
 * One order for the events of all sessions. A batch is one row of `events`, which has the same row key.
 *
 * Positions are never reused. They start at the time of the migration in milliseconds: a new database that replaces a
 * lost or damaged one gives out higher positions than the old one did, which had fewer commits than milliseconds. So a
 * reader that comes back with an old position misses nothing.
 */
const eventBatches = `
CREATE TABLE event_batches (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  row_key INTEGER NOT NULL UNIQUE
) STRICT;
INSERT INTO sqlite_sequence (name, seq)
  VALUES ('event_batches', CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
${addMissingBatches}`;

/** A run is found by its id, or by the start of it. */
const runsById = `
CREATE INDEX runs_run_id ON runs (run_id);
`;

/** All schema changes, in order. A released migration is never edited: the next change is the next migration. */
export const migrations: readonly string[] = [
  first,
  purposes,
  safety,
  possibleUse,
  auditBySession,
  eventBatches,
  runsById,
];
