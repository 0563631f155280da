import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { parseJson } from "../protocol/json.ts";

const newline = 10;
const chunkBytes = 65_536;

/**
 * Repairs the end of a JSON Lines file and returns its size. A killed process may have left half a line, and a file
 * system zeros in place of unwritten data. A complete last line gets its line end; half a line is removed.
 */
export function repairTail(fd: number): number {
  const { size } = fstatSync(fd);
  const lineStart = afterLastNewline(fd, size);
  if (lineStart === size) return size;
  const tail = withoutZeros(read(fd, lineStart, size));
  if (parseJson(tail.toString("utf8")) === undefined) {
    ftruncateSync(fd, lineStart);
    return lineStart;
  }
  const end = lineStart + tail.length;
  ftruncateSync(fd, end);
  return end + writeSync(fd, "\n"); // the file is open for appending
}

function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

function afterLastNewline(fd: number, size: number): number {
  for (let end = size; end > 0; end -= chunkBytes) {
    const start = Math.max(0, end - chunkBytes);
    const index = read(fd, start, end).lastIndexOf(newline);
    if (index >= 0) return start + index + 1;
  }
  return 0;
}

function read(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < buffer.length) {
    const bytesRead = readSync(fd, buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
