import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import type { SqliteDatabase } from "@sheepdog/records";
import { rollBack } from "./connection.ts";
import { DatabaseError } from "./errors.ts";

/** Tells our databases from those of other programs: "shdg". */
export const applicationId = 0x73686467;

/** Page size in bytes. A turn's rows waste less space on pages of this size than on SQLite's default pages. */
export const pageSize = 8_192;

/** The schema version of a database. Throws when it is newer than `newest`, or when another program made it. */
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

/** Gives an empty database the newest schema. */
export function createSchema(database: SqliteDatabase, migrations: readonly string[]): void {
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE`);
  for (const migration of migrations) database.exec(migration);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  database.exec("COMMIT");
}

/**
 * Brings an older database to the newest version in one transaction: a process that is killed meanwhile leaves the old
 * version. First, while no other process can write, `backupSource`, a second connection, copies the database.
 */
export function migrate(
  database: SqliteDatabase,
  backupSource: SqliteDatabase,
  { path, migrations }: { readonly path: string; readonly migrations: readonly string[] },
): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = schemaVersion(database, path, migrations.length); // another process may have migrated it meanwhile
    if (version < migrations.length) backUp(backupSource, path, version);
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Path of the copy that is made before a database is migrated from a version. */
export function backupPath(path: string, version: number): string {
  return `${path}.v${version}.backup`;
}

function backUp(database: SqliteDatabase, path: string, version: number): void {
  const draft = `${backupPath(path, version)}.new`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, "wx", 0o600));
  database.prepare("VACUUM INTO ?").run(draft);
  const file = openSync(draft, "r+");
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, backupPath(path, version));
}

function pragma(database: SqliteDatabase, name: string): number {
  const row = database.prepare(`SELECT ${name} AS value FROM pragma_${name}`).get();
  return (row as { readonly value: number }).value; // the selected column
}
