import type { FileHandle } from "node:fs/promises";

/** Lines of a file, and what is known about the rest of it. */
export interface LinesRead {
  readonly lines: readonly string[];
  /** The number of all lines; undefined when the end of the file was not reached. */
  readonly total?: number;
  readonly isBinary: boolean;
  readonly hasCrlf: boolean;
  readonly endsWithNewline: boolean;
}

export interface LineRange {
  /** The first line is 1. */
  readonly offset: number;
  readonly limit: number;
  /** A longer line is cut, with a note at its end. */
  readonly maxLineBytes: number;
  /** Once this many bytes are collected, no further line is started. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const chunkBytes = 64 * 1024;
const newline = 10;
const carriageReturn = 13;

/** Reads lines and holds no more of the file than requested. A NUL in the first chunk makes the file binary. */
export async function readLines(handle: FileHandle, range: LineRange): Promise<LinesRead> {
  const buffer = Buffer.alloc(chunkBytes);
  const collector = createLineCollector(range);
  for (let isFirstChunk = true; ; isFirstChunk = false) {
    range.signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (isFirstChunk && chunk.includes(0)) return collector.result({ isBinary: true });
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      if (collector.isFull()) return collector.result({ isBinary: false });
      collector.add(chunk.subarray(start, end));
      collector.endLine({ hasNewline: true });
      start = end + 1;
    }
    if (start < bytesRead && collector.isFull()) return collector.result({ isBinary: false });
    collector.add(chunk.subarray(start));
  }
  return collector.result({ isBinary: false, total: collector.endFile() });
}

interface LineCollector {
  isFull(): boolean;
  /** Appends bytes to the current line. */
  add(bytes: Buffer): void;
  endLine(options: { readonly hasNewline: boolean }): void;
  /** Ends a last line without newline and returns the number of lines. */
  endFile(): number;
  result(rest: Pick<LinesRead, "total" | "isBinary">): LinesRead;
}

function createLineCollector({ offset, limit, maxLineBytes, maxBytes }: LineRange): LineCollector {
  const lines: string[] = [];
  let lineNumber = 1;
  let collectedBytes = 0;
  let hasCrlf = false;
  let endsWithNewline = true;
  let line = emptyLine();

  const collectLine = () => {
    const data = Buffer.concat(line.parts);
    const missingBytes = line.bytes - data.length;
    const isCrlf = missingBytes === 0 && data.at(-1) === carriageReturn;
    hasCrlf ||= isCrlf;
    collectedBytes += data.length;
    const text = data.toString("utf8", 0, isCrlf ? data.length - 1 : data.length);
    lines.push(missingBytes === 0 ? text : `${text} [… ${missingBytes} more bytes in this line]`);
  };
  const endLine: LineCollector["endLine"] = ({ hasNewline }) => {
    if (lineNumber >= offset) collectLine();
    endsWithNewline = hasNewline;
    lineNumber++;
    line = emptyLine();
  };
  return {
    isFull: () => lines.length >= limit || collectedBytes >= maxBytes,
    add(bytes) {
      if (bytes.length === 0) return;
      endsWithNewline = false;
      line.bytes += bytes.length;
      if (lineNumber < offset) return;
      const part = bytes.subarray(0, maxLineBytes - line.partBytes);
      if (part.length === 0) return;
      line.parts.push(Buffer.from(part)); // a copy: the caller reuses its buffer
      line.partBytes += part.length;
    },
    endLine,
    endFile() {
      if (line.bytes > 0) endLine({ hasNewline: false });
      return lineNumber - 1;
    },
    result: (rest) => ({ lines, hasCrlf, endsWithNewline, ...rest }),
  };
}

/** `parts` holds the first bytes of the line, `bytes` counts all of them. */
function emptyLine(): { readonly parts: Buffer[]; partBytes: number; bytes: number } {
  return { parts: [], partBytes: 0, bytes: 0 };
}
