import { createReadStream } from "node:fs";
import { findRecordings } from "./readers/recordings.ts";
import type { ReadItem } from "./readers/read-item.ts";
import { readTrajectory } from "./readers/trajectory-reader.ts";

/** Reads all recordings behind some paths, one after the other. */
export async function* readRecordings(paths: readonly string[]): AsyncGenerator<ReadItem> {
  for await (const found of findRecordings(paths)) {
    if (found.type === "file") yield* readTrajectory(createReadStream(found.file), found.file);
    else yield found;
  }
}
