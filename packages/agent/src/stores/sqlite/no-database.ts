import type { SqliteDatabase, SqliteStatement } from "@sheepdog/records";
import { keepShape } from "../../async/keep-shape.ts";

/** Stands for a database where only the shape of what uses one is wanted (see keepShape). */
export const noDatabase: SqliteDatabase = { exec: () => undefined, prepare: () => statement, close: () => undefined };

const statement: SqliteStatement = {
  run: () => nothingChanged(),
  get: () => undefined,
  all: () => [],
  iterate: () => [],
};

/** Made as SQLite's modules make it: an empty object gets one field after the other. */
function nothingChanged(): ReturnType<SqliteStatement["run"]> {
  const result: { changes?: number; lastInsertRowid?: number } = {};
  result.changes = 0;
  result.lastInsertRowid = 0;
  return result as ReturnType<SqliteStatement["run"]>; // both are there
}

keepShape(nothingChanged());
