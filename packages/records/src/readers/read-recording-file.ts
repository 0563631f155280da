import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { readSqliteHeader } from "../platform/sqlite-header.ts";
import { findFolderReader } from "./folder-reader.ts";
import { readDatabaseFile } from "./read-database-file.ts";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, skip } from "./read-item.ts";
import { readRecording } from "./read-recording.ts";

/** Reads the runs of a file, or of a folder that is one recording, in whatever format it is. Never throws. */
export async function* readRecordingFile(path: string): AsyncGenerator<ReadItem> {
  try {
    if ((await stat(path)).isDirectory()) yield* readFolder(path);
    else if (await isDatabase(path)) yield* readDatabaseFile(path);
    else yield* readRecording(createReadStream(path), path);
  } catch (error) {
    yield skip(path, 0, describeReadFailure(error).why);
  }
}

async function* readFolder(folder: string): AsyncGenerator<ReadItem> {
  const reader = await findFolderReader(folder);
  if (reader === undefined) yield skip(folder, 0, "it is a directory and not a recording");
  else yield* reader.read(folder);
}

/** Whether a file begins like a SQLite database. */
async function isDatabase(path: string): Promise<boolean> {
  const isFile = (await stat(path)).isFile(); // a pipe can be read only once
  return isFile && (await readSqliteHeader(path)) !== undefined;
}
