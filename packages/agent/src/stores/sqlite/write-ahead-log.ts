import { readFileSync } from "node:fs";
import { endianness } from "node:os";

/** One page in a write-ahead log. */
interface Frame {
  readonly page: number;
  /** Size of the database in pages, when the frame ends a transaction; otherwise 0. */
  readonly databasePages: number;
  readonly bytes: Uint8Array;
  /** Whether its checksum follows from that of the previous frame. */
  readonly isSound: boolean;
}

/** A write-ahead log as it is on the disk. */
export interface WriteAheadLog {
  readonly pageSize: number;
  readonly frames: readonly Frame[];
  /** Undefined when SQLite would read every finished transaction. */
  readonly damage?: string;
}

const headerSize = 32;
const frameHeaderSize = 24;

/**
 * Reads a write-ahead log; undefined when there is none.
 *
 * SQLite reads a log up to the first invalid frame and takes the rest for leftovers of an unfinished transaction. So it
 * would skip later transactions without an error. Here a log counts as damaged when a transaction ends after an invalid
 * frame, within the part that the log's index covers. An invalid frame in the very last transaction cannot be told from
 * a frame that never reached the disk.
 */
export function readWriteAheadLog(path: string): WriteAheadLog | undefined {
  const bytes = readFileIfExists(path);
  if (bytes === undefined || bytes.length < headerSize) return undefined;
  const view = new DataView(bytes.buffer);
  const magic = view.getUint32(0);
  const isLittleEndian = magic === 0x377f0682;
  const pageSize = view.getUint32(8);
  const isValidSize = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  if ((!isLittleEndian && magic !== 0x377f0683) || !isValidSize)
    return { pageSize: 4096, frames: [], damage: "the beginning of its write-ahead log cannot be read" };
  const words = isLittleEndian ? new Uint32Array(bytes.buffer, 0, bytes.length >> 2) : bigEndianWords(view);
  const frames = readFrames(bytes, { view, words, pageSize });
  const headerChecksum = checksum(words, [0, 0], [[0, 24]]);
  if (!isEqual(headerChecksum, [view.getUint32(24), view.getUint32(28)]))
    return { pageSize, frames, damage: "the beginning of its write-ahead log is damaged" };
  const invalid = frames.findIndex(({ isSound }) => !isSound);
  if (invalid < 0) return { pageSize, frames };
  if (!endsTransactionAfter(frames, invalid)) return { pageSize, frames: frames.slice(0, invalid) };
  const indexed = frames.slice(0, indexedFrames(path.replace(/-wal$/, "-shm"), bytes) ?? frames.length);
  if (!endsTransactionAfter(indexed, invalid)) return { pageSize, frames: frames.slice(0, invalid) };
  return { pageSize, frames: indexed, damage: `frame ${invalid + 1} of its write-ahead log is damaged` };
}

function endsTransactionAfter(frames: readonly Frame[], index: number): boolean {
  return frames.slice(index).some(({ isSound, databasePages }) => isSound && databasePages > 0);
}

interface LogBytes {
  readonly view: DataView;
  readonly words: Uint32Array;
  readonly pageSize: number;
}

/**
 * The frames up to the last one that has the salts of this log. Frames of an earlier log may follow it, and a frame
 * with a damaged header may precede it.
 */
function readFrames(bytes: Uint8Array, { view, words, pageSize }: LogBytes): readonly Frame[] {
  const salts = [view.getUint32(16), view.getUint32(20)] as const;
  let previous: Checksum = [view.getUint32(24), view.getUint32(28)];
  const frames: Frame[] = [];
  let count = 0;
  for (let at = headerSize; at + frameHeaderSize + pageSize <= bytes.length; at += frameHeaderSize + pageSize) {
    const isOfThisLog = isEqual(salts, [view.getUint32(at + 8), view.getUint32(at + 12)]);
    const data = at + frameHeaderSize;
    const stored: Checksum = [view.getUint32(at + 16), view.getUint32(at + 20)];
    const frameParts = [
      [at, 8],
      [data, pageSize],
    ] as const;
    frames.push({
      page: view.getUint32(at),
      databasePages: view.getUint32(at + 4),
      bytes: bytes.subarray(data, data + pageSize),
      isSound: isOfThisLog && isEqual(stored, checksum(words, previous, frameParts)),
    });
    previous = stored;
    if (isOfThisLog) count = frames.length;
  }
  return frames.slice(0, count);
}

const indexHeaderSize = 48;

/**
 * How many frames the index of a log covers; undefined when the index belongs to another log. A process that was killed
 * during a sync has written a whole transaction that the index does not cover: other processes overwrite it from its
 * beginning, and its remains are not part of the log.
 */
function indexedFrames(path: string, log: Uint8Array<ArrayBuffer>): number | undefined {
  const index = readFileIfExists(path);
  if (index === undefined || index.length < 2 * indexHeaderSize) return undefined;
  // The header is stored twice; a difference means that a process was writing it.
  const isComplete = index.subarray(0, indexHeaderSize).every((byte, at) => byte === index[indexHeaderSize + at]);
  if (!isComplete) return undefined;
  const indexView = new DataView(index.buffer);
  const logView = new DataView(log.buffer);
  const isOfThisLog =
    indexView.getUint32(32) === logView.getUint32(16) && indexView.getUint32(36) === logView.getUint32(20);
  return isOfThisLog ? indexView.getUint32(16, endianness() === "LE") : undefined;
}

type Checksum = readonly [first: number, second: number];

function isEqual(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** SQLite's checksum: two sums over 32-bit words, each of which feeds the other. */
function checksum(
  words: Uint32Array,
  [first, second]: Checksum,
  parts: readonly (readonly [at: number, length: number])[],
): Checksum {
  for (const [at, length] of parts)
    for (let index = at >> 2; index < (at + length) >> 2; index += 2) {
      first = (first + (words[index] ?? 0) + second) >>> 0;
      second = (second + (words[index + 1] ?? 0) + first) >>> 0;
    }
  return [first, second];
}

/** The words of a log that a big-endian machine wrote. */
function bigEndianWords(view: DataView): Uint32Array {
  return Uint32Array.from({ length: view.byteLength >> 2 }, (_, index) => view.getUint32(index * 4));
}

/** The bytes of a file in a buffer of their own. */
function readFileIfExists(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
