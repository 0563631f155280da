import { once } from "node:events";
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { NotAFile, openFlags, otherKind } from "./regular-file.ts";

/**
 * The bytes of a file that a person has named, which may be a pipe, as in `analyze <(command)`. Throws `NotAFile` for a
 * pipe that nothing writes to, which would be waited for without end, and for anything else.
 */
export async function* readNamedFile(path: string, highWaterMark: number): AsyncGenerator<Uint8Array> {
  const descriptor = openSync(path, openFlags);
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
    yield* stream.iterator({ destroyOnReturn: false }); // it would be destroyed with an error
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
