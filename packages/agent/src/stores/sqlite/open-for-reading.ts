import { constants, copyFileSync, existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createPrivateFolder } from "@sheepdog/records";
import { memoryStores } from "../memory-stores.ts";
import type { Stores } from "../stores.ts";
import { findLogDamage } from "./damage-check.ts";
import { DamagedDatabaseError, DatabaseError, explain, primaryCode } from "./errors.ts";
import { countAsOpen, isOpenHere } from "./open-here.ts";
import { hasWriteAheadLog, isMissing, openOrRebuild } from "./open-or-rebuild.ts";
import { OlderSchemaError, openReadOnly } from "./open-read-only.ts";
import { interruptedRebuildSource } from "./rebuild-journal.ts";
import { storesOf } from "./sqlite-stores.ts";

export interface ReadingOptions {
  readonly path: string;
  /** Folder of the run logs. They are read only when the database is damaged or missing. */
  readonly logDir?: string | undefined;
}

/** Stores that are only read. What they change is refused. */
export interface ReadableStores {
  readonly stores: Stores;
  /** Why the stores are a temporary copy with what could be read; undefined for the database itself. */
  readonly problem?: string | undefined;
  /** How many rows were left out so far, because another program wrote or edited them. */
  foreignRows(): number;
}

/**
 * Opens the database for reading. It is never moved, rebuilt or written to, and needs no other file: its folder may be
 * read-only, its disk full. Of a damaged database, a temporary copy is rebuilt.
 */
export async function openForReading(options: ReadingOptions): Promise<ReadableStores> {
  const path = resolve(options.path);
  if (!existsSync(path)) {
    if (isMissing(path, options.logDir)) return openRebuiltCopy(options, `The database ${path} is missing`);
    return { stores: memoryStores(), foreignRows: () => 0 };
  }
  try {
    return await openInPlace(path);
  } catch (error) {
    if (error instanceof OlderSchemaError) return openRebuiltCopy(options);
    if (error instanceof DamagedDatabaseError) return openRebuiltCopy(options, withoutStop(error.message));
    throw error;
  }
}

/** Opens a temporary copy that is rebuilt if it is damaged. `problem` says why the database itself is not read. */
export async function openRebuiltCopy(options: ReadingOptions, problem?: string): Promise<ReadableStores> {
  const path = resolve(options.path);
  if (isOpenHere(path)) throw new DatabaseError(`${problem ?? path}.`, "SQLITE_CORRUPT"); // see isOpenHere
  const source = interruptedRebuildSource(path) ?? path;
  let folder: Awaited<ReturnType<typeof createPrivateFolder>> | undefined;
  try {
    folder = await createPrivateFolder();
    const copy = join(folder.path, basename(path));
    for (const suffix of ["", "-wal", "-shm"])
      if (existsSync(source + suffix)) copyFileSync(source + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    const { stores } = await openOrRebuild({ path: copy, logDir: options.logDir });
    const { remove } = folder;
    const close = () => stores.close().finally(remove);
    return { stores: { ...stores, close }, problem, foreignRows: () => 0 };
  } catch (error) {
    await folder?.remove();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      `${problem ?? path}, and no temporary copy of it can be read: ${reason}`,
      "SQLITE_CORRUPT",
      {
        cause: error,
      },
    );
  }
}

async function openInPlace(path: string): Promise<ReadableStores> {
  if (!isOpenHere(path) && hasWriteAheadLog(path)) {
    const damage = await findLogDamage(path); // SQLite would leave out what follows a damaged part
    if (damage !== undefined) throw new DamagedDatabaseError(path, damage);
  }
  const sqlite = await openReadOnly({ path });
  let foreignRows = 0;
  try {
    const stores = storesOf({ ...sqlite, onForeignRow: () => (foreignRows += 1) });
    return { stores: countAsOpen(path, stores), foreignRows: () => foreignRows };
  } catch (error) {
    await sqlite.close();
    // All statements are valid for our schema: a generic error means that a table is missing.
    if (error instanceof Error && primaryCode(error) === 1)
      throw new DamagedDatabaseError(path, error.message, { cause: error });
    throw explain(error, path);
  }
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
