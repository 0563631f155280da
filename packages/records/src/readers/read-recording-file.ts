import { stat } from "node:fs/promises";
import { readNamedFile } from "../platform/named-file.ts";
import { beginsLikeDatabase } from "../platform/sqlite-header.ts";
import { findFolderReader } from "./folder-reader.ts";
import { readDatabaseFile } from "./read-database-file.ts";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, skip, skipRest } from "./read-item.ts";
import { readRecording } from "./read-recording.ts";

/** Larger pieces than by default: fewer waits, and fewer lines in two pieces. */
const CHUNK_BYTES = 256 * 1024;

/** Reads the runs of a file, or of a folder that is one recording, in whatever format it is. Never throws. */
export async function* readRecordingFile(path: string): AsyncGenerator<ReadItem> {
  try {
    if ((await stat(path)).isDirectory()) yield* readFolder(path);
    else yield* readFile(path);
  } catch (error) {
    yield skipRest(path, 0, describeReadFailure(error));
  }
}

async function* readFolder(folder: string): AsyncGenerator<ReadItem> {
  const reader = await findFolderReader(folder);
  if (reader === undefined) yield skip(folder, 0, "it is a directory and not a recording");
  else yield* reader.read(folder);
}

/** Reads a database, or a text, which may be a pipe: it is opened once, since a pipe can be read only once. */
async function* readFile(path: string): AsyncGenerator<ReadItem> {
  const chunks = readNamedFile(path, CHUNK_BYTES);
  try {
    const first = await chunks.next();
    if (first.done === true || !beginsLikeDatabase(first.value))
      return yield* readRecording(joined(first, chunks), path);
  } finally {
    await chunks.return(undefined); // closing a file ends the locks of its database that this process holds
  }
  yield* readDatabaseFile(path);
}

async function* joined(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
}
