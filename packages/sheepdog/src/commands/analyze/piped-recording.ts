import type { Io } from "../../io.ts";

/** The paths to read, and the streams to read them with. */
interface PipedRecording {
  readonly paths: readonly string[];
  readonly io: Io;
}

/** Reads stdin where no path is named and something is piped in. An empty stdin is no recording. */
export async function piped(paths: readonly string[], io: Io): Promise<PipedRecording> {
  if (paths.length > 0 || io.stdin.isTTY) return { paths, io };
  const chunks = io.stdin[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done || first.value.length === 0) return { paths, io };
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first.value;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { paths: ["-"], io: { ...io, stdin: Object.assign(all(), { isTTY: false }) } };
}
