import { readIfThere } from "./read-if-there.ts";
import { lastFrameIn } from "./wal-index.ts";

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
export interface WriteAheadLog {
  readonly pageSize: number;
  readonly frames: readonly Frame[];
  /** What is wrong with it; undefined where all of it would be read, but for transactions that were not finished. */
  readonly damage?: string;
}

const headerSize = 32;
const frameHeaderSize = 24;

/**
 * Reads a write-ahead log. SQLite itself reads one up to the first frame that is wrong, and takes what comes after for what an unfinished transaction left: so
 * it would pass over what was committed there without a word. It is damaged where a transaction ends behind such a frame, and within what those who use the log
 * take for it. A frame that is wrong in the very last transaction cannot be told from one that never reached the disk.
 */
export function readWriteAheadLog(path: string): WriteAheadLog | undefined {
  const bytes = readIfThere(path);
  if (bytes === undefined || bytes.length < headerSize) return undefined;
  const view = new DataView(bytes.buffer);
  const magic = view.getUint32(0);
  const isLittle = magic === 0x377f0682;
  const pageSize = view.getUint32(8);
  const isSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if ((!isLittle && magic !== 0x377f0683) || !isSize)
    return { pageSize: 4096, frames: [], damage: "the beginning of its write-ahead log cannot be read" };
  const words = isLittle ? new Uint32Array(bytes.buffer, 0, bytes.length >> 2) : swapped(view);
  const frames = framesOf(bytes, { view, words, pageSize });
  const sum = checksum(words, [0, 0], [[0, 24]]);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28))
    return { pageSize, frames, damage: "the beginning of its write-ahead log is damaged" };
  const bad = frames.findIndex(({ isSound }) => !isSound);
  if (bad < 0) return { pageSize, frames };
  const written = frames.slice(
    0,
    endsBehind(frames, bad) ? (lastFrameIn(path.replace(/-wal$/, "-shm"), bytes) ?? frames.length) : bad,
  );
  if (!endsBehind(written, bad)) return { pageSize, frames: frames.slice(0, bad) };
  return { pageSize, frames: written, damage: `frame ${bad + 1} of its write-ahead log is damaged` };
}

function endsBehind(frames: readonly Frame[], bad: number): boolean {
  return frames.slice(bad).some(({ isSound, pages }) => isSound && pages > 0);
}

interface Read {
  readonly view: DataView;
  readonly words: Uint32Array;
  readonly pageSize: number;
}

/** The frames of this log, as they are told by their two salts, up to the last of them: behind it those of an earlier log may lie, and before it one whose beginning is damaged. */
function framesOf(bytes: Uint8Array, { view, words, pageSize }: Read): readonly Frame[] {
  const [salt1, salt2] = [view.getUint32(16), view.getUint32(20)];
  let before: readonly [number, number] = [view.getUint32(24), view.getUint32(28)];
  const frames: Frame[] = [];
  let last = 0;
  for (let at = headerSize; at + frameHeaderSize + pageSize <= bytes.length; at += frameHeaderSize + pageSize) {
    const isMine = view.getUint32(at + 8) === salt1 && view.getUint32(at + 12) === salt2;
    const data = at + frameHeaderSize;
    const after: typeof before = [view.getUint32(at + 16), view.getUint32(at + 20)];
    const isSound =
      isMine &&
      isSame(
        after,
        checksum(words, before, [
          [at, 8],
          [data, pageSize],
        ]),
      );
    before = after;
    frames.push({
      page: view.getUint32(at),
      pages: view.getUint32(at + 4),
      bytes: bytes.subarray(data, data + pageSize),
      isSound,
    });
    if (isMine) last = frames.length;
  }
  return frames.slice(0, last);
}

function isSame(one: readonly [number, number], other: readonly [number, number]): boolean {
  return one[0] === other[0] && one[1] === other[1];
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
