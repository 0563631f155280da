import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { findFolderReader } from "./folder-reader.ts";
import { isKnownContent, nameKind } from "./known-content.ts";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, type SkippedItem, skip } from "./read-item.ts";
import { readRecordingFile } from "./read-recording-file.ts";

/** A file to read, or a folder that is one recording, or a path without any. */
export type FoundRecording = { readonly type: "file"; readonly file: string } | SkippedItem;

/** Reads all recordings at these paths, one after the other. */
export async function* readRecordings(paths: readonly string[]): AsyncGenerator<ReadItem> {
  for await (const recording of findRecordings(paths)) {
    if (recording.type === "file") yield* readRecordingFile(recording.file);
    else yield recording;
  }
}

/**
 * Finds the recordings at these paths, each once. A path to a file is that file, whatever its name. A directory stands
 * for everything below it, sorted: JSON lines by their name, databases and JSON documents whose content is in a known
 * format, and folders that are one recording each, which are not searched. Other databases and documents are counted in
 * one item for the directory.
 */
export async function* findRecordings(paths: readonly string[]): AsyncGenerator<FoundRecording> {
  const search: Search = { visited: new Set(), unknownFiles: 0 };
  for (const path of paths) {
    try {
      if ((await stat(path)).isDirectory()) yield* inDirectory(path, search);
      else if (await markVisited(path, search)) yield { type: "file", file: path };
    } catch (error) {
      yield skip(path, 0, describeReadFailure(error).why);
    }
  }
}

interface Search {
  readonly visited: Set<string>;
  /** Databases and documents in no known format. */
  unknownFiles: number;
}

async function* inDirectory(directory: string, search: Search): AsyncGenerator<FoundRecording> {
  let count = 0;
  search.unknownFiles = 0;
  for await (const recording of below(directory, search)) {
    count++;
    yield recording;
  }
  if (count === 0)
    yield skip(
      directory,
      0,
      "there are no recordings (*.jsonl, *.ndjson, *.json or a database of an agent) in this directory",
    );
  if (search.unknownFiles > 0) yield skip(directory, 0, unknownFilesText(search.unknownFiles));
}

function unknownFilesText(count: number): string {
  const files = count === 1 ? "1 file (*.json, *.db) is" : `${count} files (*.json, *.db) are`;
  return `${files} in no known format and left out; to see why, name the file`;
}

/** Walks each real directory once, so that links cannot lead in circles. */
async function* below(directory: string, search: Search): AsyncGenerator<FoundRecording> {
  if (!(await markVisited(directory, search))) return;
  const names = (await readdir(directory)).sort();
  if ((await findFolderReader(directory, names)) !== undefined) return yield { type: "file", file: directory };
  for (const name of names) {
    const path = join(directory, name);
    const kind = nameKind(name);
    let isDirectory = false;
    try {
      const info = await stat(path);
      isDirectory = info.isDirectory();
      if (isDirectory) yield* below(path, search);
      else if (info.isFile() && kind !== "other" && (await markVisited(path, search))) {
        if (kind === "lines" || (await isKnownContent(path, info.size, kind))) yield { type: "file", file: path };
        else search.unknownFiles++;
      }
    } catch (error) {
      if (kind === "lines" || isDirectory) yield skip(path, 0, describeReadFailure(error).why);
    }
  }
}

/** Returns whether the path is visited for the first time. */
async function markVisited(path: string, { visited }: Search): Promise<boolean> {
  const real = await realpath(path).catch(() => path); // a pipe has no real path
  if (visited.has(real)) return false;
  visited.add(real);
  return true;
}
