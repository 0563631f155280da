import { createReadStream } from "node:fs";
import { type ReadItem, readTrajectory } from "@sheepdog/records";

/** Reads the runs of a file one by one. Never throws. Other formats than trajectory JSONL will be recognised here. */
export function readRecordingFile(file: string): AsyncIterable<ReadItem> {
  return readTrajectory(createReadStream(file), file);
}
