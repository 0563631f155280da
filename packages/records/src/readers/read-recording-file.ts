import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { folderReaders } from "./known-readers.ts";
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
  const names = new Set(await readdir(folder));
  const reader = folderReaders.find((candidate) => candidate.recognizes(names));
  if (reader === undefined) yield skip(folder, 0, "it is a directory and not a recording");
  else yield* reader.read(folder);
}

const SQLITE_HEADER = "SQLite format 3\0";

/** Whether a file begins like a SQLite database. */
async function isDatabase(path: string): Promise<boolean> {
  const info = await stat(path);
  if (!info.isFile() || info.size < SQLITE_HEADER.length) return false; // a pipe can be read only once
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(SQLITE_HEADER.length), 0, SQLITE_HEADER.length, 0);
    return buffer.toString("latin1") === SQLITE_HEADER;
  } finally {
    await file.close();
  }
}
