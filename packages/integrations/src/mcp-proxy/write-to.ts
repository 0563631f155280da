import type { Writable } from "node:stream";

/** Writes, and waits while the reader is slow. Throws if the reader is gone. */
export function writeTo(output: Writable, data: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(data, (error) => (error ? reject(error) : resolve()));
  });
}
