import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, type SkippedItem, skip } from "./read-item.ts";
import { readRecordingFile } from "./read-recording-file.ts";

/** OpenClaw renames sessions that are deleted or reset: `<id>.jsonl.reset.<time>`. */
const recordingName = /\.(?:jsonl|jsonl\.gz|ndjson)(?:\.(?:deleted|reset)\.[^/]*)?$/i;

/** A file to read, or a path without any. */
export type FoundRecording = { readonly type: "file"; readonly file: string } | SkippedItem;

/** Reads all recordings at these paths, one after the other. */
export async function* readRecordings(paths: readonly string[]): AsyncGenerator<ReadItem> {
  for await (const recording of findRecordings(paths)) {
    if (recording.type === "file") yield* readRecordingFile(recording.file);
    else yield recording;
  }
}

/**
 * Finds the files at these paths, each once. A path to a file is that file, whatever its name;
 * a directory stands for every `*.jsonl`, `*.jsonl.gz` and `*.ndjson` below it, sorted.
 */
export async function* findRecordings(paths: readonly string[]): AsyncGenerator<FoundRecording> {
  const visited = new Set<string>();
  for (const path of paths) {
    try {
      if ((await stat(path)).isDirectory()) yield* inDirectory(path, visited);
      else if (await markVisited(path, visited)) yield { type: "file", file: path };
    } catch (error) {
      yield skip(path, 0, describeReadFailure(error).why);
    }
  }
}

async function* inDirectory(directory: string, visited: Set<string>): AsyncGenerator<FoundRecording> {
  let count = 0;
  for await (const recording of below(directory, visited)) {
    count++;
    yield recording;
  }
  if (count === 0)
    yield skip(directory, 0, "there are no recordings (*.jsonl, *.jsonl.gz, *.ndjson) in this directory");
}

/** Walks each real directory once, so that links cannot lead in circles. */
async function* below(directory: string, visited: Set<string>): AsyncGenerator<FoundRecording> {
  if (!(await markVisited(directory, visited))) return;
  for (const name of (await readdir(directory)).sort()) {
    const path = join(directory, name);
    const isRecording = recordingName.test(name);
    try {
      const info = await stat(path);
      if (info.isDirectory()) yield* below(path, visited);
      else if (info.isFile() && isRecording && (await markVisited(path, visited))) yield { type: "file", file: path };
    } catch (error) {
      if (isRecording) yield skip(path, 0, describeReadFailure(error).why);
    }
  }
}

/** Returns whether the path is visited for the first time. */
async function markVisited(path: string, visited: Set<string>): Promise<boolean> {
  const real = await realpath(path).catch(() => path); // a pipe has no real path
  if (visited.has(real)) return false;
  visited.add(real);
  return true;
}
