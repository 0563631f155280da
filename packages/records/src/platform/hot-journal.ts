import { open } from "node:fs/promises";

/** The last bytes of a rollback journal that ends with the name of a super-journal. */
const MAGIC = Buffer.from("d9d505f920a163d7", "hex");

/**
 * Whether a rollback journal names another file, the super-journal of a change of several databases. SQLite deletes
 * that file when it replays the journal, whatever file it is.
 */
export async function namesSuperJournal(journal: string): Promise<boolean> {
  const file = await open(journal);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, size - MAGIC.length);
    return bytesRead === MAGIC.length && buffer.equals(MAGIC);
  } finally {
    await file.close();
  }
}
