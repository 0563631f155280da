import { once } from "node:events";
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Thrown for a path to anything but a regular file. The message is a sentence: "it is a named pipe, not a file". */
export class NotAFile extends Error {}

/** Opening does not wait for the writer of a pipe, and does not make a terminal that of this process. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a regular file to read it. The caller closes it. Throws `NotAFile`, and the errors of the system. */
export function openRegularFile(path: string, more = 0): number {
  const descriptor = openSync(path, flags | more, 0o600);
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

/**
 * The bytes of a file that a person has named, which may be a pipe, as in `analyze <(command)`. Throws `NotAFile` for a
 * pipe that nothing writes to, which would be waited for without end, and for anything else.
 */
export async function* readNamedFile(path: string, highWaterMark: number): AsyncGenerator<Uint8Array> {
  const descriptor = openSync(path, flags);
  let stream: Readable | undefined;
  try {
    const stats = fstatSync(descriptor);
    const kind = otherKind(stats);
    if (kind !== undefined && !stats.isFIFO()) throw new NotAFile(`it is ${kind}, not a file`);
    const beginning = stats.isFIFO() ? readWaiting(descriptor) : undefined;
    if (beginning !== undefined) yield beginning;
    stream = stats.isFIFO()
      ? new Socket({ fd: descriptor, readable: true, writable: false })
      : createReadStream(path, { fd: descriptor, highWaterMark });
    yield* stream;
  } finally {
    stream?.destroy();
    if (stream === undefined) closeSync(descriptor);
    else if (!stream.closed) await once(stream, "close");
  }
}

/** The bytes that wait in a pipe; undefined where its writer has not written yet. */
function readWaiting(descriptor: number): Uint8Array | undefined {
  const bytes = Buffer.alloc(64 * 1024);
  try {
    const length = readSync(descriptor, bytes);
    if (length > 0) return bytes.subarray(0, length);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
  throw new NotAFile("it is a named pipe that nothing writes to; give a file, or pipe it to stdin with -");
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

function otherKind(stats: Kinds): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
