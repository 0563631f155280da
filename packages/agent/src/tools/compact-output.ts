import { Buffer } from "node:buffer";
import { bytesPerToken } from "../protocol/token-estimate.ts";

const headShare = 0.6;

/**
 * Cuts text to a number of estimated tokens: keeps its head and its tail, cut at line ends where one is near, and puts
 * a line between them that says how much is missing. Bytes are counted, not characters: a Chinese character has about
 * as many tokens as a short English word.
 */
export function compactOutput(text: string, maxTokens: number): string {
  const maxBytes = Math.max(0, Math.floor(maxTokens * bytesPerToken));
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const available = maxBytes - Buffer.byteLength(notice(text.length, text.length));
  if (available <= 0) return text.slice(0, headLength(text, maxBytes));
  const headEnd = endOfHead(text, headLength(text, Math.ceil(available * headShare)));
  const tailStart = startOfTail(text, text.length - tailLength(text, Math.floor(available * (1 - headShare))));
  const missing = text.slice(headEnd, tailStart);
  return `${text.slice(0, headEnd)}${notice(missing.length, missing.split("\n").length - 1)}${text.slice(tailStart)}`;
}

function notice(chars: number, lines: number): string {
  const lineCount = lines > 0 ? ` (${lines} lines)` : "";
  return `\n[… ${chars} characters${lineCount} left out here; ask for a smaller part to see them …]\n`;
}

/** The length of the longest start of a text that has at most this many bytes. Does not end in half a character. */
function headLength(text: string, maxBytes: number): number {
  return new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read;
}

/** The length of the longest end of a text that has at most this many bytes. Does not start with half a character. */
function tailLength(text: string, maxBytes: number): number {
  const bytes = Buffer.from(text.slice(Math.max(0, text.length - maxBytes))); // a character has at least one byte
  let start = Math.max(0, bytes.length - maxBytes);
  while (isInsideCharacter(bytes[start])) start += 1;
  return bytes.toString("utf8", start).length;
}

function isInsideCharacter(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

/** The last line end in the second half of the head, or `limit` when there is none. */
function endOfHead(text: string, limit: number): number {
  const newline = text.lastIndexOf("\n", limit - 1);
  return newline > limit / 2 ? newline : limit;
}

/** The first line start in the first half of the tail, or `limit` when there is none. */
function startOfTail(text: string, limit: number): number {
  const newline = text.indexOf("\n", limit);
  return newline !== -1 && newline < limit + (text.length - limit) / 2 ? newline + 1 : limit;
}
