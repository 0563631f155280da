import { readFileSync } from "node:fs";

/** One page in a write-ahead log. */
interface Frame {
  readonly page: number;
  /** How many pages the database has after it, where it ends a transaction; else 0. */
  readonly pages: number;
  readonly bytes: Uint8Array;
  /** Its checksum is right, by that of the frame before. */
  readonly isSound: boolean;
}

/** A write-ahead log as it lies on the disk. */
export interface Wal {
  readonly pageSize: number;
  readonly frames: readonly Frame[];
  /** What is wrong with it; undefined where all of it would be read, but for a transaction that was not finished. */
  readonly damage?: string;
}

const headerSize = 32;
const frameHeaderSize = 24;

/**
 * Reads a write-ahead log. SQLite itself reads one up to the first frame that is wrong, and takes what comes after for what an unfinished transaction left: so
 * it would pass over what was committed there without a word.
 */
export function readWal(path: string): Wal | undefined {
  const bytes = readIfThere(path);
  if (bytes === undefined || bytes.length < headerSize) return undefined;
  const view = new DataView(bytes.buffer);
  const magic = view.getUint32(0);
  const isLittle = magic === 0x377f0682;
  const pageSize = view.getUint32(8);
  const isSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if ((!isLittle && magic !== 0x377f0683) || !isSize) return { pageSize: 4096, frames: [], damage: "the beginning of its write-ahead log cannot be read" };
  const words = isLittle ? new Uint32Array(bytes.buffer, 0, bytes.length >> 2) : swapped(view);
  const frames = framesOf(bytes, { view, words, pageSize });
  const sum = checksum(words, [0, 0], [[0, 24]]);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return { pageSize, frames, damage: "the beginning of its write-ahead log is damaged" };
  const bad = frames.findIndex(({ isSound }) => !isSound);
  return bad < 0 ? { pageSize, frames } : { pageSize, frames, damage: `frame ${bad + 1} of its write-ahead log is damaged` };
}

interface Read {
  readonly view: DataView;
  readonly words: Uint32Array;
  readonly pageSize: number;
}

/** The frames of this log; behind them those of an earlier one may lie, which are told by both of their salts. */
function framesOf(bytes: Uint8Array, { view, words, pageSize }: Read): readonly Frame[] {
  const [salt1, salt2] = [view.getUint32(16), view.getUint32(20)];
  let before: readonly [number, number] = [view.getUint32(24), view.getUint32(28)];
  const frames: Frame[] = [];
  for (let at = headerSize; at + frameHeaderSize + pageSize <= bytes.length; at += frameHeaderSize + pageSize) {
    const [mine1, mine2] = [view.getUint32(at + 8) === salt1, view.getUint32(at + 12) === salt2];
    if (!mine1 && !mine2) break;
    const data = at + frameHeaderSize;
    const sum = checksum(words, before, [
      [at, 8],
      [data, pageSize],
    ]);
    before = [view.getUint32(at + 16), view.getUint32(at + 20)];
    const isSound = mine1 && mine2 && sum[0] === before[0] && sum[1] === before[1];
    frames.push({ page: view.getUint32(at), pages: view.getUint32(at + 4), bytes: bytes.subarray(data, data + pageSize), isSound });
  }
  return frames;
}

/** SQLite's: two sums over words of 32 bits, each fed with the other. */
function checksum(
  words: Uint32Array,
  [first, second]: readonly [number, number],
  parts: readonly (readonly [at: number, length: number])[],
): readonly [number, number] {
  for (const [at, length] of parts)
    for (let index = at >> 2; index < (at + length) >> 2; index += 2) {
      first = (first + (words[index] ?? 0) + second) >>> 0;
      second = (second + (words[index + 1] ?? 0) + first) >>> 0;
    }
  return [first, second];
}

/** For a log that was written by a machine with the bytes of a number the other way round. */
function swapped(view: DataView): Uint32Array {
  return Uint32Array.from({ length: view.byteLength >> 2 }, (_, index) => view.getUint32(index * 4));
}

function readIfThere(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(path)); // a copy that begins where its buffer does
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
