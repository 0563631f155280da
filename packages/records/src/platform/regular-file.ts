import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/** Thrown for a path to anything but a regular file. The message is a sentence: "it is a named pipe, not a file". */
export class NotAFile extends Error {}

/** Opening does not wait for the writer of a pipe, and does not make a terminal that of this process. */
export const openFlags: number = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a regular file to read it. The caller closes it. Throws `NotAFile`, and the errors of the system. */
export function openRegularFile(path: string, more = 0): number {
  const descriptor = openSync(path, openFlags | more, 0o600);
  try {
    const kind = otherKind(fstatSync(descriptor));
    if (kind !== undefined) throw new NotAFile(`it is ${kind}, not a file`);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The text of a regular file. Throws `NotAFile`, and the errors of the system. */
export function readRegularFile(path: string): string {
  const descriptor = openRegularFile(path);
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Appends lines to a file that only its owner can read. A line that a power loss has cut does not get more text. */
export function appendLines(path: string, lines: string): void {
  const descriptor = openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.from("\n");
    if (size > 0) readSync(descriptor, last, 0, 1, size - 1);
    const bytes = Buffer.from(last.toString("latin1") === "\n" ? lines : `\n${lines}`);
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
  } finally {
    closeSync(descriptor);
  }
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** What is no regular file: "a named pipe". */
export function otherKind(stats: Kinds): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
