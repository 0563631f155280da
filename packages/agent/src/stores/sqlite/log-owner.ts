import { pathToFileURL } from "node:url";
import { openDatabase } from "@sheepdog/records";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/**
 * Whether a write-ahead log was written for another database than the one it lies beside: then the two have different
 * sessions under one key. Keys are never reused.
 */
export async function belongsToAnotherDatabase(path: string, wal: WriteAheadLog): Promise<boolean> {
  const soundFrames = wal.frames.filter(({ isSound }) => isSound);
  const loggedIds = new Map(soundFrames.flatMap(({ bytes }) => sessionsOnPage(bytes)));
  if (loggedIds.size === 0) return false;
  try {
    // "immutable" makes SQLite ignore the log.
    const database = await openDatabase(`${pathToFileURL(path).href}?immutable=1`, { isReadOnly: true });
    try {
      const findSession = database.prepare("SELECT id FROM sessions WHERE key = ?");
      return [...loggedIds].some(([key, loggedId]) => {
        const session = findSession.get(key) as { readonly id: string } | undefined; // the selected column
        return session !== undefined && session.id !== loggedId;
      });
    } finally {
      database.close();
    }
  } catch {
    return false; // the database itself is damaged, which findDamage reports
  }
}

type KeyAndId = readonly [key: number, id: string];

/** The type byte of a page that holds table rows. */
const tableLeaf = 13;
const sessionColumns = 12;

/** Keys and ids of the session rows on a page; none when the page belongs to another table. */
function sessionsOnPage(page: Uint8Array): readonly KeyAndId[] {
  if (page[0] !== tableLeaf) return [];
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const rows: KeyAndId[] = [];
  for (let cell = 0; cell < view.getUint16(3) && 8 + 2 * cell + 2 <= page.length; cell += 1) {
    const row = sessionAt(page, view.getUint16(8 + 2 * cell));
    if (row === undefined) return [];
    rows.push(row);
  }
  return rows;
}

/** A session row has twelve columns: the key, which SQLite stores outside the record, then the id as text. */
function sessionAt(page: Uint8Array, offset: number): KeyAndId | undefined {
  const reader = createVarintReader(page, offset);
  reader.next(); // the length of the record
  const key = reader.next();
  const headerStart = reader.offset();
  const headerSize = reader.next();
  const types: number[] = [];
  while (reader.offset() < headerStart + headerSize && types.length <= sessionColumns) types.push(reader.next());
  const [keyType, idType = 0] = types;
  if (types.length !== sessionColumns || keyType !== 0 || idType < 13 || idType % 2 === 0) return undefined;
  const start = headerStart + headerSize;
  const length = (idType - 13) / 2;
  if (start + length > page.length) return undefined;
  return [key, new TextDecoder().decode(page.subarray(start, start + length))];
}

/** Reads SQLite's variable-length integers, one after the other. */
function createVarintReader(page: Uint8Array, start: number): { next(): number; offset(): number } {
  let offset = start;
  return {
    offset: () => offset,
    next() {
      let value = 0;
      for (let count = 0; count < 9; count += 1) {
        const byte = page[offset] ?? 0;
        offset += 1;
        value = count === 8 ? value * 256 + byte : value * 128 + (byte & 127);
        if (byte < 128) break;
      }
      return value;
    },
  };
}
