import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { copyDamaged } from "./damaged-copy.ts";
import { belongsToAnotherDatabase } from "./log-owner.ts";
import { countReadable } from "./salvage.ts";
import { readWriteAheadLog, type WriteAheadLog } from "./write-ahead-log.ts";

export interface OpenDamagedOptions {
  readonly path: string;
  /** Where a copy may be made. */
  readonly copy: string;
  /** The first page of a new database with the same tables. */
  readonly firstPage: Uint8Array;
}

/** A copy of a damaged database, of which as much can be read as ever; nothing where not even that. */
export interface DamagedDatabase {
  readonly database?: SqliteDatabase;
  readonly lost: readonly string[];
}

/** Opens a copy of a damaged database: with what its log holds, unless that is another's; and where that gives more, with a sound first page. */
export async function openDamagedDatabase({ path, copy, firstPage }: OpenDamagedOptions): Promise<DamagedDatabase> {
  const found = readWriteAheadLog(`${path}-wal`);
  const isStrange = found !== undefined && (await belongsToAnotherDatabase(path, found));
  const wal = isStrange ? undefined : found;
  const lost = isStrange ? ["what was written last: the write-ahead log is that of another database"] : lossesOf(wal);
  const readable: number[] = [];
  for (const page of [undefined, firstPage]) {
    await copyDamaged({ from: path, to: copy, wal, firstPage: page });
    readable.push(await count(copy));
  }
  const [asFound = 0, withPage = 0] = readable;
  if (asFound === 0 && withPage === 0)
    return { lost: ["everything that the database held: nothing of it can be read", ...lost] };
  if (withPage <= asFound) await copyDamaged({ from: path, to: copy, wal });
  return { database: await openDatabase(copy), lost };
}

function lossesOf(wal: WriteAheadLog | undefined): readonly string[] {
  if (wal?.damage === undefined) return [];
  const bad = wal.frames.filter(({ isSound }) => !isSound).length;
  return [
    bad === 0
      ? "what was written last: the write-ahead log cannot be read"
      : `${bad} pages of the write-ahead log: what was written last may be incomplete`,
  ];
}

async function count(path: string): Promise<number> {
  try {
    const database = await openDatabase(path);
    try {
      return await countReadable(database);
    } finally {
      database.close();
    }
  } catch {
    return 0; // SQLite takes it for no database at all
  }
}
