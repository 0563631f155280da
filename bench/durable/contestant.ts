import type { Tool } from "../../packages/agent/dist/index.js";
import type { SqliteDatabase } from "../../packages/records/dist/index.js";
import type { RunConversation } from "../loop/contestant.ts";

/** Where a contestant saves a conversation, and the kind of its tool. */
export interface Storage {
  /** An empty folder on a disk. */
  readonly folder: string;
  /** Whether the tool only reads or changes something. */
  readonly kind: Extract<Tool["kind"], "read" | "mutate">;
}

/** A contestant whose database is open. */
export interface OpenContestant {
  readonly run: RunConversation;
  close(): void | Promise<void>;
}

/** A contestant that saves to a database `state.db` in the folder of its storage. */
export interface Contestant {
  /** Throws when it cannot be used here. */
  load(): Promise<(storage: Storage) => Promise<OpenContestant>>;
  /** Counts the JSON in its database. */
  readonly jsonBytes: (database: SqliteDatabase) => JsonBytes;
}

/** Bytes of JSON in a database. */
export interface JsonBytes {
  readonly history: number;
  readonly checkpoint: number;
}

export const databaseName = "state.db";

/** Adds up the column `json` of every table; tables named after checkpoints count as the checkpoint. */
export function jsonColumnBytes(database: SqliteDatabase): JsonBytes {
  const tables = database
    .prepare(
      "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'json' WHERE m.type = 'table'",
    )
    .all() as readonly { readonly name: string }[]; // the column asked for
  const bytesOf = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + numberFrom(database, `SELECT total(octet_length(json)) AS n FROM ${name}`), 0);
  const names = tables.map(({ name }) => name);
  const isCheckpoint = (name: string) => name.startsWith("checkpoint");
  return {
    history: bytesOf(names.filter((name) => !isCheckpoint(name))),
    checkpoint: bytesOf(names.filter(isCheckpoint)),
  };
}

/** The column `n` of the only row of a query. */
export function numberFrom(database: SqliteDatabase, sql: string): number {
  return (database.prepare(sql).get() as { readonly n: number }).n; // the column asked for
}
