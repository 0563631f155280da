import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { openDatabase } from "@sheepdog/records";
import { sessionsWithLogs } from "../../logs/log-folders.ts";
import { thisProcess } from "../holder.ts";
import type { Holder, Stores } from "../stores.ts";
import { findDamage } from "./damage-check.ts";
import { prepareDatabasePath } from "./database-path.ts";
import { DamagedDatabaseError, explain } from "./errors.ts";
import { retryWhileLocked } from "./lock-wait.ts";
import { countAsOpen, isOpenHere } from "./open-here.ts";
import { openSqlite, type Sqlite, type SqliteOptions } from "./open-sqlite.ts";
import { type RebuildOptions, type RebuildReport, rebuild } from "./rebuild.ts";
import { isRebuildInterrupted, rebuildJournalPath } from "./rebuild-journal.ts";
import { restoreBalances } from "./salvage-repair.ts";
import { storesOf } from "./sqlite-stores.ts";

export interface OpenOrRebuildOptions extends Omit<SqliteOptions, "migrations"> {
  /** Folder of the run logs. They are read only when the database is damaged or missing. */
  readonly logDir?: string | undefined;
  readonly now?: () => number;
  readonly holder?: Holder;
}

/** Open stores, and a report for the user when the database had to be rebuilt. */
export interface OpenedStores {
  readonly stores: Stores;
  readonly rebuilt?: RebuildReport;
}

/**
 * Opens the database at a path. Rebuilds it when it is damaged, or when it is missing and run logs exist. A damaged
 * database is never replaced by an empty one without a report.
 */
export async function openOrRebuild(options: OpenOrRebuildOptions): Promise<OpenedStores> {
  const { logDir, now = Date.now, holder = thisProcess() } = options;
  const path = resolve(options.path);
  const open = () => openIntact({ ...options, path });
  await unlessDamaged(async () => prepareDatabasePath(path)); // rejects an unusable path before anything is moved
  const isRebuildNeeded = existsSync(rebuildJournalPath(path)) || isMissing(path, logDir);
  const stores = isRebuildNeeded ? undefined : await unlessDamaged(open);
  if (stores !== undefined) return { stores };
  return withRebuildLock({ ...options, path }, () => rebuildOnce({ path, logDir, at: now(), holder }, open));
}

/** Rebuilds, unless another process has done so while this one waited for the lock. */
async function rebuildOnce(options: RebuildOptions, open: () => Promise<Stores>): Promise<OpenedStores> {
  const { path, logDir } = options;
  const isRebuildNeeded = isRebuildInterrupted(path) || isMissing(path, logDir);
  const stores = isRebuildNeeded ? undefined : await unlessDamaged(open);
  if (stores !== undefined) return { stores };
  const rebuilt = await rebuild(options);
  return { stores: await open(), rebuilt };
}

/** Whether there is no database, although its write-ahead log or run logs show that there was one. */
export function isMissing(path: string, logDir: string | undefined): boolean {
  if (existsSync(path)) return false;
  return hasWriteAheadLog(path) || existsSync(rebuildJournalPath(path)) || (logDir !== undefined && hasRunLogs(logDir));
}

/** A process that only reads leaves an empty one. */
export function hasWriteAheadLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function hasRunLogs(logDir: string): boolean {
  try {
    return sessionsWithLogs(logDir).length > 0;
  } catch {
    return true; // the rebuild reports why the folder cannot be read
  }
}

async function openIntact(options: SqliteOptions): Promise<Stores> {
  const { path } = options;
  const damage = isOpenHere(path) ? undefined : await findDamage(options);
  if (damage !== undefined) throw new DamagedDatabaseError(path, damage);
  const sqlite = await openSqlite({ ...options, quickCheck: false });
  try {
    await raiseBalances(sqlite);
    return countAsOpen(path, storesOf(sqlite));
  } catch (error) {
    await sqlite.close();
    throw explain(error, path);
  }
}

/** Limits read the balances, which must not lack costs that the ledger has: another program may have changed them. */
async function raiseBalances({ safe }: Sqlite): Promise<void> {
  const sumOf = (kind: string) => `coalesce((SELECT sum(spent) FROM balances WHERE kind = '${kind}'), 0)`;
  const lowest = `min(${["session", "day", "month"].map(sumOf).join(", ")})`;
  const areTooLow = safe.database.prepare(`SELECT ${lowest} < coalesce(sum(cost_nano_usd), 0) AS isLow FROM costs`);
  const { isLow } = await safe.read(() => areTooLow.get() as { readonly isLow: number }); // the selected column
  if (isLow === 1) await safe.write(() => restoreBalances(safe.database));
}

async function unlessDamaged<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DamagedDatabaseError) return undefined;
    throw error;
  }
}

/**
 * Holds SQLite's lock on a file of its own, which ends with the process. The empty file is never removed: another
 * process could then lock a second file of the same name.
 */
async function withRebuildLock<T>(options: SqliteOptions, work: () => Promise<T>): Promise<T> {
  const file = `${options.path}.rebuild-lock`;
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600)); // closing an existing file would release its locks
  chmodSync(file, 0o600);
  const lock = await openDatabase(file);
  try {
    await retryWhileLocked(() => lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"), options);
    return await work();
  } finally {
    lock.close();
  }
}
