import { endianness } from "node:os";
import { readIfThere } from "./read-if-there.ts";

const headerSize = 48;

/**
 * How many frames of a write-ahead log its index counts; undefined where the index is not one of that log. A process that was killed while it synced has written
 * a whole transaction that nobody ever saw: others go on before its end, and what they leave of it there is no part of the log.
 */
export function lastFrameIn(path: string, wal: Uint8Array<ArrayBuffer>): number | undefined {
  const index = readIfThere(path);
  if (index === undefined || index.length < 2 * headerSize || !isTwice(index)) return undefined;
  const words = new DataView(index.buffer);
  const isLittle = endianness() === "LE"; // it is written as the machine counts, but for the salts
  const log = new DataView(wal.buffer);
  const isOfLog = words.getUint32(32) === log.getUint32(16) && words.getUint32(36) === log.getUint32(20);
  return isOfLog ? words.getUint32(16, isLittle) : undefined;
}

/** It is written twice, so that one who reads it meanwhile can tell. */
function isTwice(index: Uint8Array): boolean {
  return index.subarray(0, headerSize).every((byte, at) => byte === index[headerSize + at]);
}
