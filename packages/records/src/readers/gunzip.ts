import { createGunzip, type Gunzip } from "node:zlib";

/** Deflate grows a byte to at most about a thousand, so this much at a time keeps what comes out below 17 MB. */
const SLICE_BYTES = 16 * 1024;

/** Bytes as they are or, where they begin as gzip does, unpacked. What was unpacked before damaged or missing bytes comes out before the error. */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  let inflater: Inflater | undefined;
  try {
    for await (const chunk of bytes) {
      const piece: Uint8Array = head === undefined ? chunk : Buffer.concat([head, chunk]);
      if (head !== undefined && piece.length < 2) {
        head = piece;
        continue;
      }
      if (head !== undefined && isGzip(piece)) inflater = createInflater();
      head = undefined;
      if (inflater === undefined) yield piece;
      else
        for (let at = 0; at < piece.length; at += SLICE_BYTES)
          yield* await inflater.push(piece.subarray(at, at + SLICE_BYTES));
      inflater?.check();
    }
    if (head !== undefined && head.length > 0) yield head;
    if (inflater !== undefined) {
      yield* await inflater.end();
      inflater.check();
    }
  } finally {
    inflater?.close();
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

interface Inflater {
  push(piece: Uint8Array): Promise<readonly Uint8Array[]>;
  end(): Promise<readonly Uint8Array[]>;
  /** Throws what went wrong, once everything before it has been handed out. */
  check(): void;
  close(): void;
}

/** A stream that fails drops what it has buffered; this one is emptied after every write. */
function createInflater(): Inflater {
  const gunzip: Gunzip = createGunzip();
  let failure: Error | undefined;
  let out: Uint8Array[] = [];
  gunzip.on("data", (chunk: Uint8Array) => out.push(chunk));
  gunzip.on("error", (error: Error) => {
    failure ??= error;
  });

  function after(act: (done: () => void) => void): Promise<readonly Uint8Array[]> {
    return new Promise((resolve) => {
      const done = (): void => {
        gunzip.off("error", done);
        const taken = out;
        out = [];
        resolve(taken);
      };
      if (failure !== undefined) return done();
      gunzip.once("error", done);
      act(done);
    });
  }

  return {
    push: (piece) => after((done) => gunzip.write(piece, () => done())),
    end: () =>
      after((done) => {
        gunzip.once("end", done);
        gunzip.end();
      }),
    check() {
      if (failure !== undefined) throw failure;
    },
    close: () => gunzip.destroy(),
  };
}
