/** A longer line is skipped, so that no file can fill the memory. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

const NEWLINE = 10;

/** One line of a file, counted from 1; a line that is too long has no text. */
export type Line =
  | { readonly type: "line"; readonly number: number; readonly text: string }
  | { readonly type: "too-long"; readonly number: number };

/** Cuts bytes into lines and holds no more than the current one. After a line that is too long it goes on at the next. */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  const current = createCurrentLine(maxBytes);
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      current.hold(chunk.subarray(start, end));
      yield current.take();
      start = end + 1;
    }
    current.hold(chunk.subarray(start));
  }
  if (current.hasBytes()) yield current.take();
}

interface CurrentLine {
  hold(part: Uint8Array): void;
  hasBytes(): boolean;
  take(): Line;
}

function createCurrentLine(maxBytes: number): CurrentLine {
  let number = 0;
  let size = 0;
  let parts: Uint8Array[] = [];
  return {
    hold(part) {
      size += part.length;
      if (size > maxBytes) parts = [];
      else parts.push(part);
    },
    hasBytes: () => size > 0,
    take() {
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
