import { pathToFileURL } from "node:url";
import { openDatabase } from "@sheepdog/records";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** Whether a write-ahead log was made for another database than the one it lies beside: then the two have different sessions under one key, which is never used again. */
export async function belongsToAnotherDatabase(path: string, wal: WriteAheadLog): Promise<boolean> {
  const logged = new Map<number, string>();
  for (const { bytes, isSound } of wal.frames)
    if (isSound) for (const { key, id } of sessionsOnPage(bytes)) logged.set(key, id);
  if (logged.size === 0) return false;
  try {
    const database = await openDatabase(`${pathToFileURL(path).href}?immutable=1`, { isReadOnly: true }); // without its log
    try {
      const find = database.prepare("SELECT id FROM sessions WHERE key = ?");
      return [...logged].some(([key, id]) => ((find.get(key) as { readonly id: string } | undefined)?.id ?? id) !== id); // the column asked for
    } finally {
      database.close();
    }
  } catch {
    return false; // it is damaged itself: that is found out elsewhere
  }
}

interface SessionRow {
  readonly key: number;
  readonly id: string;
}

const leaf = 13;
const columns = 12;

/** The rows of the table of sessions on a page; none where the page is of another table. */
function sessionsOnPage(page: Uint8Array): readonly SessionRow[] {
  if (page[0] !== leaf) return [];
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const found: SessionRow[] = [];
  for (let cell = 0; cell < view.getUint16(3) && 8 + 2 * cell + 2 <= page.length; cell += 1) {
    const row = sessionAt(page, view.getUint16(8 + 2 * cell));
    if (row === undefined) return [];
    found.push(row);
  }
  return found;
}

/** A row of that table has twelve columns: the key, which lies outside, then the id as text. */
function sessionAt(page: Uint8Array, at: number): SessionRow | undefined {
  const next = reader(page, at);
  next(); // how long it is
  const key = next();
  const start = next.at();
  const header = next();
  const types: number[] = [];
  while (next.at() < start + header && types.length <= columns) types.push(next());
  const [keyType, idType = 0] = types;
  if (types.length !== columns || keyType !== 0 || idType < 13 || idType % 2 === 0) return undefined;
  const [from, length] = [start + header, (idType - 13) / 2];
  if (from + length > page.length) return undefined;
  return { key, id: new TextDecoder().decode(page.subarray(from, from + length)) };
}

/** Reads SQLite's numbers of varying length, one after the other. */
function reader(page: Uint8Array, start: number): { (): number; at(): number } {
  let at = start;
  const next = () => {
    let value = 0;
    for (let count = 0; count < 9; count += 1) {
      const byte = page[at] ?? 0;
      at += 1;
      value = count === 8 ? value * 256 + byte : value * 128 + (byte & 127);
      if (byte < 128) break;
    }
    return value;
  };
  return Object.assign(next, { at: () => at });
}
