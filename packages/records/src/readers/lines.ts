import type { ParsedJson } from "../trajectory/parse-json.ts";

/** A longer line is skipped, which bounds the memory a file can take. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

const NEWLINE = 10;

/** One line of a file, counted from 1; a line that is too long has no text. */
export type Line =
  | {
      readonly type: "line";
      readonly number: number;
      readonly text: string;
      /** The number of zero bytes that were left out of the text. */
      readonly zeros?: number;
      /** Present when the line has been parsed already. */
      readonly parsed?: ParsedJson;
    }
  | { readonly type: "too-long"; readonly number: number };

/**
 * Splits bytes into lines and buffers only the current one. Continues after a line that is too long. Yields the lines
 * that end in a chunk together: an await a line would take longer than parsing it.
 */
export async function* splitLines(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  const splitter = createLineSplitter(maxBytes);
  for await (const chunk of bytes) {
    const lines = splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (lines.length > 0) yield lines;
  }
  const lines = splitter.end();
  if (lines.length > 0) yield lines;
}

interface LineSplitter {
  /** Returns the lines that end in this chunk. */
  push(chunk: Buffer): readonly Line[];
  /** Returns the last line if no newline ends it. */
  end(): readonly Line[];
}

function createLineSplitter(maxBytes: number): LineSplitter {
  let number = 0;
  let size = 0; // of the line that is not complete yet
  let parts: Buffer[] = [];

  function append(part: Buffer): void {
    size += part.length;
    if (size > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function takeLine(): Line {
    number++;
    const line: Line = size > maxBytes ? { type: "too-long", number } : { type: "line", number, text: textOf(parts) };
    size = 0;
    parts = [];
    return line;
  }

  /** A line within one chunk, which is not copied. */
  function lineWithin(chunk: Buffer, start: number, end: number): Line {
    if (end - start > maxBytes) return { type: "too-long", number: ++number };
    return { type: "line", number: ++number, text: chunk.toString("utf8", start, end) };
  }

  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        if (size === 0) lines.push(lineWithin(chunk, start, end));
        else {
          append(chunk.subarray(start, end));
          lines.push(takeLine());
        }
        start = end + 1;
      }
      append(chunk.subarray(start));
      return lines;
    },
    end: () => (size > 0 ? [takeLine()] : []),
  };
}

function textOf(parts: readonly Buffer[]): string {
  const [only] = parts;
  return (parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)).toString("utf8");
}
