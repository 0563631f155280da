import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { createInflater, type Inflater } from "./inflater.ts";
import { UnsupportedPacking } from "./read-failure.ts";

/** Input per write. Deflate expands a byte to at most about a thousand, so one write yields less than 17 MB. */
const SLICE_BYTES = 16 * 1024;
/** Zstandard can expand a byte more than deflate does. */
const ZSTD_SLICE_BYTES = 1024;

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * Passes plain bytes through and unpacks gzip and Zstandard, which it recognises by the first bytes.
 * Yields everything unpacked before damaged or missing bytes, then throws.
 */
export async function* unpackIfPacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(); // bytes read before the format is known
  let unpacker: Unpacker | undefined;
  try {
    for await (const chunk of bytes) {
      const piece: Uint8Array = head === undefined ? chunk : Buffer.concat([head, chunk]);
      if (head !== undefined && couldBePacked(piece)) {
        head = piece;
        continue;
      }
      if (head !== undefined) unpacker = createUnpacker(piece);
      head = undefined;
      if (unpacker === undefined) {
        yield piece;
        continue;
      }
      for (let start = 0; start < piece.length; start += unpacker.sliceBytes)
        yield* await unpacker.inflater.push(piece.subarray(start, start + unpacker.sliceBytes));
      unpacker.inflater.throwIfFailed();
    }
    if (head !== undefined && head.length > 0) yield head;
    if (unpacker !== undefined) {
      yield* await unpacker.inflater.end();
      unpacker.inflater.throwIfFailed();
    }
  } finally {
    unpacker?.inflater.close();
  }
}

/** Whether these few first bytes do not tell the format yet. */
function couldBePacked(bytes: Uint8Array): boolean {
  return [GZIP_MAGIC, ZSTD_MAGIC].some(
    (magic) => bytes.length < magic.length && magic.subarray(0, bytes.length).equals(bytes),
  );
}

interface Unpacker {
  readonly inflater: Inflater;
  readonly sliceBytes: number;
}

function createUnpacker(bytes: Uint8Array): Unpacker | undefined {
  if (startsWith(bytes, GZIP_MAGIC)) return { inflater: createInflater(zlib.createGunzip()), sliceBytes: SLICE_BYTES };
  if (startsWith(bytes, ZSTD_MAGIC)) return { inflater: createInflater(zstdStream()), sliceBytes: ZSTD_SLICE_BYTES };
  return undefined;
}

function zstdStream(): Transform {
  const create = "createZstdDecompress" in zlib ? zlib.createZstdDecompress : undefined;
  if (typeof create !== "function")
    throw new UnsupportedPacking(
      `it is packed with Zstandard, which Node can unpack from version 22.15 on; this is Node ${process.versions.node}`,
    );
  return create() as Transform; // the type definitions are those of Node 20, which has no such function
}

function startsWith(bytes: Uint8Array, magic: Uint8Array): boolean {
  return bytes.length >= magic.length && Buffer.from(bytes.subarray(0, magic.length)).equals(magic);
}
