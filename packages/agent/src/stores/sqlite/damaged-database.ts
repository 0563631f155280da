import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { copyDamaged } from "./damaged-copy.ts";
import { belongsToAnotherDatabase } from "./log-owner.ts";
import { countReadableRows } from "./salvage.ts";
import { readWriteAheadLog, type WriteAheadLog } from "./write-ahead-log.ts";

export interface DamagedDatabaseOptions {
  readonly path: string;
  /** Path for a copy. */
  readonly copy: string;
  /** The first page of a new database with the same schema. */
  readonly firstPage: Uint8Array;
}

/** A readable copy of a damaged database; without `database` when nothing can be read. */
export interface DamagedDatabase {
  readonly database?: SqliteDatabase;
  /** Sentences about what is lost. */
  readonly lost: readonly string[];
}

/**
 * Opens a copy of a damaged database that includes its write-ahead log, unless the log belongs to another database.
 * Uses an intact first page when more rows can be read with it.
 */
export async function openDamagedDatabase({ path, copy, firstPage }: DamagedDatabaseOptions): Promise<DamagedDatabase> {
  const log = readWriteAheadLog(`${path}-wal`);
  const isForeignLog = log !== undefined && (await belongsToAnotherDatabase(path, log));
  const wal = isForeignLog ? undefined : log;
  const lost = isForeignLog
    ? ["what was written last: the write-ahead log is that of another database"]
    : lostWithLog(wal);
  await copyDamaged({ from: path, to: copy, wal });
  const rowsWithOwnPage = await countRows(copy);
  await copyDamaged({ from: path, to: copy, wal, firstPage });
  const rowsWithIntactPage = await countRows(copy);
  if (rowsWithOwnPage === 0 && rowsWithIntactPage === 0)
    return { lost: ["everything that the database held: nothing of it can be read", ...lost] };
  if (rowsWithIntactPage <= rowsWithOwnPage) await copyDamaged({ from: path, to: copy, wal });
  return { database: await openDatabase(copy), lost };
}

function lostWithLog(wal: WriteAheadLog | undefined): readonly string[] {
  if (wal?.damage === undefined) return [];
  const damagedFrames = wal.frames.filter(({ isSound }) => !isSound).length;
  return [
    damagedFrames === 0
      ? "what was written last: the write-ahead log cannot be read"
      : `${damagedFrames} pages of the write-ahead log: what was written last may be incomplete`,
  ];
}

async function countRows(path: string): Promise<number> {
  try {
    const database = await openDatabase(path);
    try {
      return await countReadableRows(database);
    } finally {
      database.close();
    }
  } catch {
    return 0; // SQLite does not recognize it as a database
  }
}
