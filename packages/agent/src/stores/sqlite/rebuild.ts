import { chmodSync, closeSync, existsSync, openSync, renameSync } from "node:fs";
import { resolve } from "node:path";
import { openDatabase } from "@sheepdog/records";
import { parseJson } from "../../protocol/json.ts";
import { isLeaseActive } from "../lease.ts";
import type { Holder } from "../stores.ts";
import {
  type BuildOptions,
  buildDatabase,
  finishedReport,
  type RebuildReport,
  removeLeftovers,
  syncFolder,
} from "./build-database.ts";
import { prepareDatabasePath } from "./database-path.ts";
import { DamagedDatabaseError, DatabaseError, isBusy } from "./errors.ts";
import { linkExclusively } from "./exclusive-link.ts";
import { rebuiltPath, remainsOf } from "./missing-database.ts";
import { connectReadOnly, openReadOnly } from "./open-read-only.ts";

import { storesOf } from "./sqlite-stores.ts";

export interface RebuildOptions extends Omit<BuildOptions, "at"> {
  readonly now?: () => number;
}

/**
 * Replaces a database that cannot be used by a new one, made from the tables that SQLite can still read and from run
 * logs. Returns undefined for a database that is intact or was never there.
 *
 * The old files are only renamed, once the new database is complete. So a process that is killed leaves the old
 * database, or the complete new one beside its place, which the next rebuild puts there, or the new one.
 * Rejects when a run uses the database, or when another process rebuilds it.
 */
export async function rebuildDatabase({
  now = Date.now,
  ...options
}: RebuildOptions): Promise<RebuildReport | undefined> {
  const path = resolve(options.path);
  try {
    prepareDatabasePath(path); // rejects an unusable path
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
  }
  return withRebuildLock(path, async () => {
    if (existsSync(path) ? await isIntact(path) : remainsOf(path, options.logDir) === undefined) return undefined;
    const at = now();
    await checkUnused(path, at);
    const rebuilt = rebuiltPath(path);
    const isComplete = !existsSync(path) && existsSync(rebuilt); // an earlier rebuild was interrupted at its end
    if (!isComplete) removeLeftovers(path);
    const report = isComplete ? await finishedReport(rebuilt) : await buildDatabase(rebuilt, { ...options, path, at });
    await checkUnused(path, at);
    const movedTo = moveAside(path, at);
    linkExclusively(rebuilt, path);
    syncFolder(path);
    removeLeftovers(path);
    return { ...(movedTo === undefined ? {} : { movedTo }), ...report };
  });
}

/** Holds SQLite's lock on a file of its own, which ends with the process. The empty file is never removed. */
async function withRebuildLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const file = `${path}.rebuild-lock`;
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600)); // closing an existing file would release its locks
  chmodSync(file, 0o600);
  const lock = await openDatabase(file);
  try {
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return await work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new DatabaseError(`Another process rebuilds the database ${path}: wait until it ends.`, "SQLITE_BUSY");
  } finally {
    lock.close();
  }
}

/** Whether SQLite finds no damage in the whole database, and it has our schema. */
async function isIntact(path: string): Promise<boolean> {
  try {
    const sqlite = await openReadOnly({ path });
    const stores = await storesOf(sqlite);
    try {
      const { database } = sqlite.safe;
      const finding = database.prepare("PRAGMA integrity_check(1)").get() as { readonly integrity_check: string };
      database.prepare("SELECT 1 FROM fact_words WHERE fact_words MATCH 'a' LIMIT 1").get(); // throws if it is broken
      return finding.integrity_check === "ok";
    } finally {
      await stores.close();
    }
  } catch (error) {
    const isUnavailable = ["SQLITE_MISMATCH", "SQLITE_BUSY", "SQLITE_CANTOPEN"].includes(codeOf(error));
    if (isUnavailable) throw error; // another program's, locked, or not permitted
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? error.code : "";
}

/** Throws when a process holds the lease of a session. What cannot be read is held by nobody. */
async function checkUnused(path: string, at: number): Promise<void> {
  for (const { id, holder: json, renewed_at } of await readHolders(path)) {
    const holder = parseJson(json) as Holder | undefined;
    if (typeof holder?.pid !== "number" || !isLeaseActive(holder, renewed_at, at)) continue;
    throw new DatabaseError(
      `The database ${path} is in use: process ${holder.pid} on ${holder.host} runs session ${id}. ` +
        `To end the run: sheepdog stop ${id}`,
      "SQLITE_BUSY",
    );
  }
}

interface HolderRow {
  readonly id: string;
  readonly holder: string;
  readonly renewed_at: number;
}

async function readHolders(path: string): Promise<readonly HolderRow[]> {
  try {
    const database = await connectReadOnly({ path });
    try {
      const rows = database.prepare("SELECT id, holder, renewed_at FROM sessions WHERE holder IS NOT NULL").all();
      return rows as unknown as readonly HolderRow[]; // the selected columns
    } finally {
      database.close();
    }
  } catch {
    return []; // missing or damaged
  }
}

/** Moves the old database and its log to a free name in the same folder. Returns the name, if there were any. */
function moveAside(path: string, at: number): string | undefined {
  const suffixes = ["", "-wal", "-shm"].filter((suffix) => existsSync(path + suffix));
  if (suffixes.length === 0) return undefined;
  const wanted = `${path}.damaged-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
  const isTaken = (name: string) => ["", "-wal", "-shm"].some((suffix) => existsSync(name + suffix));
  let name = wanted;
  for (let count = 2; isTaken(name); count += 1) name = `${wanted}-${count}`;
  for (const suffix of suffixes) renameSync(path + suffix, name + suffix); // the database first: then it is missing
  syncFolder(path);
  return name;
}
