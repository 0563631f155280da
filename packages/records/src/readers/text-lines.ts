import { type Line, splitLines } from "./lines.ts";
import { BinaryContent } from "./read-failure.ts";
import { unpackIfPacked } from "./unpack.ts";

/** How much of a file is searched for zero bytes. */
const BINARY_CHECK_BYTES = 8 * 1024;

/**
 * The lines of a text, plain or packed, without a byte order mark. Throws `BinaryContent`, `UnsupportedPacking` and
 * zlib's errors.
 */
export async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  for await (const line of splitLines(rejectBinary(unpackIfPacked(bytes))))
    yield line.number === 1 && line.type === "line" ? { ...line, text: withoutByteOrderMark(line.text) } : line;
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Throws for binary content, so that an image is reported once and not as ten thousand bad lines. */
async function* rejectBinary(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let checkedBytes = 0;
  for await (const chunk of bytes) {
    if (chunk.subarray(0, Math.max(0, BINARY_CHECK_BYTES - checkedBytes)).includes(0)) throw new BinaryContent();
    checkedBytes += chunk.length;
    yield chunk;
  }
}
