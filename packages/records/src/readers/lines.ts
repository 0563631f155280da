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
      /** Present when the text has been parsed already. */
      readonly parsed?: ParsedJson;
    }
  | { readonly type: "too-long"; readonly number: number };

/** Splits bytes into lines and buffers only the current one. Continues after a line that is too long. */
export async function* splitLines(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  const buffer = createLineBuffer(maxBytes);
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      buffer.append(chunk.subarray(start, end));
      yield buffer.takeLine();
      start = end + 1;
    }
    buffer.append(chunk.subarray(start));
  }
  if (buffer.hasBytes()) yield buffer.takeLine();
}

interface LineBuffer {
  append(part: Uint8Array): void;
  hasBytes(): boolean;
  takeLine(): Line;
}

function createLineBuffer(maxBytes: number): LineBuffer {
  let number = 0;
  let size = 0;
  let parts: Uint8Array[] = [];
  return {
    append(part) {
      size += part.length;
      if (size > maxBytes) parts = [];
      else parts.push(part);
    },
    hasBytes: () => size > 0,
    takeLine() {
      number++;
      const line: Line =
        size > maxBytes
          ? { type: "too-long", number }
          : { type: "line", number, text: Buffer.concat(parts).toString("utf8") };
      size = 0;
      parts = [];
      return line;
    },
  };
}
