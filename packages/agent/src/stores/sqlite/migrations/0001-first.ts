/**
 * Rows of a session have one integer for key and place (see place.ts), so that each table is one tree and what belongs together lies together. What a commit
 * always changes stands in one row of `sessions`. A checkpoint is one that was written whole and what has changed since, both of the same `n`
 * (see checkpoint-parts.ts). A key is never used again, so that two databases with different sessions under one key are told apart; `removals` names those whose
 * rows are not all gone yet (see removal.ts). The books know sessions by their names, since they outlive them; what is reserved is the sum of the few reservations there are.
 */
export const first = `
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at REAL,
  updated_at REAL,
  messages INTEGER NOT NULL DEFAULT 0,
  last_seq INTEGER NOT NULL DEFAULT 0,
  runs INTEGER NOT NULL DEFAULT 0,
  run_id TEXT,
  open_calls TEXT NOT NULL DEFAULT '[]',
  fence INTEGER NOT NULL,
  holder TEXT,
  renewed_at REAL NOT NULL
) STRICT;
CREATE TABLE fences (last INTEGER NOT NULL) STRICT;
INSERT INTO fences VALUES (0);

CREATE TABLE messages (place INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE events (place INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE runs (place INTEGER PRIMARY KEY, run_id TEXT NOT NULL, json TEXT NOT NULL) STRICT;
CREATE TABLE checkpoints (session INTEGER PRIMARY KEY, n INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
CREATE TABLE checkpoint_changes (session INTEGER PRIMARY KEY, n INTEGER NOT NULL, json TEXT NOT NULL) STRICT;

CREATE TABLE removals (session INTEGER PRIMARY KEY) STRICT;

CREATE TABLE reservations (
  session_id TEXT NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL, model TEXT NOT NULL, at REAL NOT NULL,
  input REAL NOT NULL, cache_read REAL NOT NULL, cache_write REAL NOT NULL, output REAL NOT NULL, is_estimated INTEGER NOT NULL, cost_nano_usd INTEGER,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE costs (
  session_id TEXT NOT NULL, id TEXT NOT NULL, run_id TEXT NOT NULL, model TEXT NOT NULL, at REAL NOT NULL,
  input REAL NOT NULL, cache_read REAL NOT NULL, cache_write REAL NOT NULL, output REAL NOT NULL, is_estimated INTEGER NOT NULL, cost_nano_usd INTEGER,
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
CREATE VIRTUAL TABLE fact_words USING fts5(words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0');
`;
