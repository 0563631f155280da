import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import type { SqliteDatabase } from "@sheepdog/records";
import { rollBack } from "./connection.ts";
import { DatabaseError } from "./errors.ts";

/** Tells our databases from those of other programs: "shdg". */
export const applicationId = 0x73686467;

/** Which of the migrations a database has had; throws where it is a newer one than ours, or another program's. */
export function schemaVersion(database: SqliteDatabase, path: string, newest: number): number {
  const version = pragma(database, "user_version");
  if (pragma(database, "application_id") !== applicationId)
    throw new DatabaseError(`The database ${path} is another program's.`, "SQLITE_MISMATCH");
  if (version > newest)
    throw new DatabaseError(
      `The database ${path} has schema version ${version}, and this program knows versions up to ${newest}: update it.`,
      "SQLITE_SCHEMA",
    );
  return version;
}

/** What a turn says takes less room on pages of this many bytes than on SQLite's own: fewer of them are left half empty. */
export const pageSize = 8_192;

/** Brings an empty database to the newest version. */
export function createSchema(database: SqliteDatabase, migrations: readonly string[]): void {
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE`); // what is removed makes the file smaller
  for (const migration of migrations) database.exec(migration);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  database.exec("COMMIT");
}

/**
 * Brings an older database to the newest version, in one transaction: whoever is killed in it leaves the old one. Before, while nobody else can write, a copy of
 * it is put beside it by way of `reader`, a second connection.
 */
export function migrate(
  database: SqliteDatabase,
  reader: SqliteDatabase,
  { path, migrations }: { readonly path: string; readonly migrations: readonly string[] },
): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = schemaVersion(database, path, migrations.length); // another process may have been faster
    if (version < migrations.length) backUp(reader, path, version);
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Where the copy of a database lies that was made before it was brought beyond a version. */
export function backupPath(path: string, version: number): string {
  return `${path}.v${version}.backup`;
}

function backUp(database: SqliteDatabase, path: string, version: number): void {
  const unfinished = `${backupPath(path, version)}.new`;
  rmSync(unfinished, { force: true });
  closeSync(openSync(unfinished, "wx", 0o600));
  database.prepare("VACUUM INTO ?").run(unfinished);
  const file = openSync(unfinished, "r+"); // SQLite has closed it
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, backupPath(path, version));
}

function pragma(database: SqliteDatabase, name: string): number {
  const row = database.prepare(`SELECT ${name} AS value FROM pragma_${name}`).get() as { readonly value: number }; // as asked for
  return row.value;
}
