import { createGunzip, type Gunzip } from "node:zlib";

/** Input per write. Deflate expands a byte to at most about a thousand, so one write yields less than 17 MB. */
const SLICE_BYTES = 16 * 1024;

/**
 * Passes plain bytes through and unpacks gzip, which it recognises by the first two bytes.
 * Yields everything unpacked before damaged or missing bytes, then throws.
 */
export async function* gunzipIfPacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(); // bytes read before the format is known
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
      if (inflater === undefined) {
        yield piece;
        continue;
      }
      for (let start = 0; start < piece.length; start += SLICE_BYTES)
        yield* await inflater.push(piece.subarray(start, start + SLICE_BYTES));
      inflater.throwIfFailed();
    }
    if (head !== undefined && head.length > 0) yield head;
    if (inflater !== undefined) {
      yield* await inflater.end();
      inflater.throwIfFailed();
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
  /** Throws the gzip error. To be called after the output before the error has been yielded. */
  throwIfFailed(): void;
  close(): void;
}

/** A failing zlib stream drops its buffered output; this wrapper collects the output after every write. */
function createInflater(): Inflater {
  const gunzip: Gunzip = createGunzip();
  let failure: Error | undefined;
  let output: Uint8Array[] = [];
  gunzip.on("data", (chunk: Uint8Array) => output.push(chunk));
  gunzip.on("error", (error: Error) => {
    failure ??= error;
  });

  function outputAfter(write: (done: () => void) => void): Promise<readonly Uint8Array[]> {
    return new Promise((resolve) => {
      const done = (): void => {
        gunzip.off("error", done);
        const chunks = output;
        output = [];
        resolve(chunks);
      };
      if (failure !== undefined) return done();
      gunzip.once("error", done);
      write(done);
    });
  }

  return {
    push: (piece) => outputAfter((done) => gunzip.write(piece, () => done())),
    end: () =>
      outputAfter((done) => {
        gunzip.once("end", done);
        gunzip.end();
      }),
    throwIfFailed() {
      if (failure !== undefined) throw failure;
    },
    close: () => gunzip.destroy(),
  };
}
