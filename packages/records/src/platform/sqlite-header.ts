import { open } from "node:fs/promises";

const MAGIC = "SQLite format 3\0";
/** The byte that says how the file is read: 2 with a write-ahead log. */
const READ_VERSION_OFFSET = 19;

/** What the first bytes of a SQLite database say. */
export interface SqliteHeader {
  readonly usesWriteAheadLog: boolean;
}

/** Reads the header of a database; undefined for any other file. */
export async function readSqliteHeader(path: string): Promise<SqliteHeader | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length + 4), 0, MAGIC.length + 4, 0);
    if (bytesRead < buffer.length || !beginsLikeDatabase(buffer)) return undefined;
    return { usesWriteAheadLog: buffer[READ_VERSION_OFFSET] === 2 };
  } finally {
    await file.close();
  }
}

/** Whether these first bytes of a file are those of a SQLite database. */
export function beginsLikeDatabase(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;
}
