import { readRecording } from "../src/readers/read-recording.ts";
import { bytes, collected } from "./builders.ts";

/** Reads a text, or bytes, as a file of this name. */
export function readText(content: string | Uint8Array, file = "renamed.txt"): ReturnType<typeof collected> {
  return collected(readRecording(bytes(content), file));
}

/** Reads a file with these values, one a line. */
export function readValues(...values: readonly object[]): ReturnType<typeof collected> {
  return readText(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}
