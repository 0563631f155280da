import { type Line, splitLines } from "./lines.ts";
import { BinaryContent } from "./read-failure.ts";
import { unpackIfPacked } from "./unpack.ts";

/** How much of a file is searched for zero bytes. */
const BINARY_CHECK_BYTES = 8 * 1024;

/**
 * The lines of a text, plain or packed, without a byte order mark, several at a time. Throws `BinaryContent`,
 * `UnsupportedPacking` and zlib's errors.
 */
export async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  for await (const lines of splitLines(rejectBinary(unpackIfPacked(bytes)))) {
    const texts = lines.map(withoutZeros);
    yield lines[0]?.number === 1 ? texts.map(withoutByteOrderMark) : texts;
  }
}

/** A power loss leaves blocks of zeros, which JSON never has. */
function withoutZeros(line: Line): Line {
  if (line.type !== "line" || !line.text.includes("\0")) return line;
  const text = line.text.replaceAll("\0", "");
  return { ...line, text, zeros: line.text.length - text.length };
}

function withoutByteOrderMark(line: Line): Line {
  const isMarked = line.type === "line" && line.number === 1 && line.text.charCodeAt(0) === 0xfeff;
  return isMarked ? { ...line, text: line.text.slice(1) } : line;
}

/**
 * Throws for binary content, so that an image is reported once and not as ten thousand bad lines: content with zeros
 * that does not begin like JSON, or that is nothing else.
 */
async function* rejectBinary(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let checkedBytes = 0;
  let hasZeros = false;
  let beginning: number | undefined; // the first byte of the text
  for await (const chunk of bytes) {
    hasZeros ||= chunk.subarray(0, Math.max(0, BINARY_CHECK_BYTES - checkedBytes)).includes(0);
    beginning ??= chunk.find((byte) => byte > SPACE);
    if (hasZeros && beginning !== undefined && !jsonBeginnings.has(beginning)) throw new BinaryContent();
    checkedBytes += chunk.length;
    if (beginning === undefined && checkedBytes > MAX_ZEROS) throw new BinaryContent();
    yield chunk;
  }
  if (hasZeros && beginning === undefined) throw new BinaryContent();
}

/** More zeros than this before any text are no damage. */
const MAX_ZEROS = 16 * 1024 * 1024;
const SPACE = 0x20;
/** A brace or a bracket. */
const jsonBeginnings: ReadonlySet<number> = new Set([0x7b, 0x5b]);
