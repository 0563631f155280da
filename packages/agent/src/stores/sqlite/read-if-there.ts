import { readFileSync } from "node:fs";

/** The bytes of a file, at the beginning of a buffer of their own; undefined where there is no such file. */
export function readIfThere(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
