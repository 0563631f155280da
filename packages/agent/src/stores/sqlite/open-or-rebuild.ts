import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { openDatabase } from "@sheepdog/records";
import { thisProcess } from "../holder.ts";
import { type RestoreReport, restoreFromLogs } from "../log-restore.ts";
import type { Holder, Stores } from "../stores.ts";
import { findDamage } from "./damage-check.ts";
import { prepareDatabasePath } from "./database-path.ts";
import { DamagedDatabaseError } from "./errors.ts";
import { retryWhileLocked } from "./lock-wait.ts";
import type { SqliteOptions } from "./open-sqlite.ts";
import { type RebuildReport, rebuild } from "./rebuild.ts";
import { isRebuildInterrupted, rebuildJournalPath } from "./rebuild-journal.ts";
import { sqliteStores } from "./sqlite-stores.ts";

export interface OpenOrRebuildOptions extends Omit<SqliteOptions, "migrations"> {
  /** Where run logs are: what the database has lost is brought back from there. */
  readonly logDir?: string | undefined;
  readonly now?: () => number;
  readonly holder?: Holder;
}

/** Stores that are whole, and what had to be done for that, which is to be told to the user. */
export interface OpenedStores {
  readonly stores: Stores;
  /** The database was damaged: it was moved aside, and a new one made. */
  readonly rebuilt?: RebuildReport;
  /** The database is sound, and did not know runs that have logs, or their ends: they are in it now. So it is after its write-ahead log, or all of it, was removed. */
  readonly restored?: RestoreReport;
}

/** Opens the database at a path, as good as it can be had; never an empty one in place of one that is damaged. */
export async function openOrRebuild(options: OpenOrRebuildOptions): Promise<OpenedStores> {
  const { logDir, now = Date.now, holder = thisProcess() } = options;
  const path = resolve(options.path);
  const open = () => openSound({ ...options, path });
  await unlessDamaged(async () => prepareDatabasePath(path)); // before anything is opened, read or moved
  const opened = existsSync(rebuildJournalPath(path)) ? undefined : await unlessDamaged(open);
  if (opened === undefined)
    return whileAlone(path, options, () => openOrRebuildAlone({ path, logDir, at: now(), holder }, open));
  if (logDir === undefined) return { stores: opened };
  try {
    const restored = await restoreFromLogs({ stores: opened, logDir, at: now(), holder });
    const isTold = restored.runs + restored.messages + restored.costs + restored.lost.length > 0;
    return isTold ? { stores: opened, restored } : { stores: opened };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openOrRebuildAlone(
  options: Parameters<typeof rebuild>[0],
  open: () => Promise<Stores>,
): Promise<OpenedStores> {
  const opened = isRebuildInterrupted(options.path) ? undefined : await unlessDamaged(open); // another process may have been faster
  if (opened !== undefined) return { stores: opened };
  const rebuilt = await rebuild(options);
  return { stores: await open(), rebuilt };
}

/** Databases that this process has open by this door, and how often. To read the file of one beside SQLite would end the locks that SQLite has on it. */
const openHere = new Map<string, number>();

async function openSound(options: SqliteOptions): Promise<Stores> {
  const { path } = options;
  const count = () => openHere.get(path) ?? 0;
  const damage = count() === 0 ? await findDamage(options) : undefined;
  if (damage !== undefined) throw new DamagedDatabaseError(path, damage);
  const stores = await sqliteStores({ ...options, quickCheck: false }); // it was looked at
  openHere.set(path, count() + 1);
  let isOpen = true;
  const close = async () => {
    await stores.close();
    if (isOpen) openHere.set(path, count() - 1);
    isOpen = false;
  };
  return { ...stores, close };
}

async function unlessDamaged<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DamagedDatabaseError) return undefined;
    throw error;
  }
}

/** SQLite's own lock on a file of its own: it ends with the process that has it, however that ends. The empty file stays; to remove it would make two locks of one. */
async function whileAlone<T>(
  path: string,
  { lockWaitMs, onWait }: Pick<SqliteOptions, "lockWaitMs" | "onWait">,
  act: () => Promise<T>,
): Promise<T> {
  const file = `${path}.rebuild-lock`;
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600)); // one that is there may be locked, which its closing would end
  chmodSync(file, 0o600);
  const lock = await openDatabase(file);
  try {
    await retryWhileLocked(() => lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"), {
      path,
      lockWaitMs,
      onWait,
    });
    return await act();
  } finally {
    lock.close();
  }
}
