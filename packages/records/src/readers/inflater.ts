import type { Transform } from "node:stream";

/** Unpacks piece by piece. */
export interface Inflater {
  push(piece: Uint8Array): Promise<readonly Uint8Array[]>;
  end(): Promise<readonly Uint8Array[]>;
  /** Throws the error of the stream. To be called after the output before the error has been yielded. */
  throwIfFailed(): void;
  close(): void;
}

/** A failing zlib stream drops its buffered output; this wrapper collects the output after every write. */
export function createInflater(stream: Transform): Inflater {
  let failure: Error | undefined;
  let output: Uint8Array[] = [];
  stream.on("data", (chunk: Uint8Array) => output.push(chunk));
  stream.on("error", (error: Error) => {
    failure ??= error;
  });

  function outputAfter(write: (done: () => void) => void): Promise<readonly Uint8Array[]> {
    return new Promise((resolve) => {
      const done = (): void => {
        stream.off("error", done);
        const chunks = output;
        output = [];
        resolve(chunks);
      };
      if (failure !== undefined) return done();
      stream.once("error", done);
      write(done);
    });
  }

  return {
    push: (piece) => outputAfter((done) => stream.write(piece, () => done())),
    end: () =>
      outputAfter((done) => {
        stream.once("end", done);
        stream.end();
      }),
    throwIfFailed() {
      if (failure !== undefined) throw failure;
    },
    close: () => stream.destroy(),
  };
}
