import type { FileHandle } from "node:fs/promises";

/** Some lines of a file, and what is known about the rest of it. */
export interface LinesRead {
  readonly lines: readonly string[];
  /** All lines of the file, where its end was reached. */
  readonly total?: number;
  readonly isBinary: boolean;
  readonly hasCrlf: boolean;
  readonly endsWithNewline: boolean;
}

export interface LineRange {
  /** The first line is 1. */
  readonly offset: number;
  readonly limit: number;
  /** A longer line is cut, and says so. */
  readonly maxLineBytes: number;
  /** No further line is begun after so many bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const chunkBytes = 64 * 1024;
const newline = 10;
const carriageReturn = 13;

/** Reads lines without ever holding more of the file than is asked for. A NUL near its start makes it a binary one. */
export async function readLines(handle: FileHandle, range: LineRange): Promise<LinesRead> {
  const buffer = Buffer.alloc(chunkBytes);
  const lines: string[] = [];
  const line = { kept: [] as Buffer[], keptBytes: 0, bytes: 0 };
  let number = 1;
  let bytes = 0;
  let hasCrlf = false;
  let last = newline;
  const isWanted = () => number >= range.offset;
  const isFull = () => lines.length >= range.limit || bytes >= range.maxBytes;
  const take = (part: Buffer) => {
    if (part.length === 0) return;
    line.bytes += part.length;
    last = part[part.length - 1] ?? last;
    const kept = isWanted() ? part.subarray(0, range.maxLineBytes - line.keptBytes) : undefined;
    if (kept === undefined || kept.length === 0) return;
    line.kept.push(Buffer.from(kept));
    line.keptBytes += kept.length;
  };
  const end = () => {
    if (isWanted()) {
      const whole = Buffer.concat(line.kept);
      const isCut = line.bytes > line.keptBytes;
      const isCrlf = !isCut && whole.at(-1) === carriageReturn;
      hasCrlf ||= isCrlf;
      bytes += line.keptBytes;
      lines.push(
        `${whole.toString("utf8", 0, isCrlf ? whole.length - 1 : whole.length)}${isCut ? ` [… ${line.bytes - line.keptBytes} more bytes in this line]` : ""}`,
      );
    }
    number++;
    line.kept = [];
    line.keptBytes = 0;
    line.bytes = 0;
  };
  const result = (rest: Pick<LinesRead, "total" | "isBinary">): LinesRead => ({
    lines,
    hasCrlf,
    endsWithNewline: last === newline,
    ...rest,
  });
  for (let position = 0; ; ) {
    range.signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (position === 0 && chunk.includes(0)) return result({ isBinary: true });
    position += bytesRead;
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      if (isFull()) return result({ isBinary: false });
      take(chunk.subarray(from, at));
      last = newline;
      end();
      from = at + 1;
    }
    if (from < bytesRead && isFull()) return result({ isBinary: false });
    take(chunk.subarray(from));
  }
  if (line.bytes > 0) end();
  return result({ isBinary: false, total: number - 1 });
}
