import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ReadItem, skip } from "./read-item.ts";
import { whyUnreadable } from "./read-failure.ts";

const recordingName = /\.(?:jsonl|jsonl\.gz|ndjson)$/i;

/** A file to read, or a path that led to none. */
export type FoundRecording = { readonly type: "file"; readonly file: string } | Extract<ReadItem, { type: "skipped" }>;

/** The files behind some paths, each once: a file is itself, a directory is every `*.jsonl`, `*.jsonl.gz` and `*.ndjson` below it, sorted. */
export async function* findRecordings(paths: readonly string[]): AsyncGenerator<FoundRecording> {
  const seen = new Set<string>();
  for (const path of paths) {
    try {
      if ((await stat(path)).isDirectory()) yield* inDirectory(path, seen);
      else if (await isNew(path, seen)) yield { type: "file", file: path };
    } catch (error) {
      yield unreadable(path, error);
    }
  }
}

async function* inDirectory(directory: string, seen: Set<string>): AsyncGenerator<FoundRecording> {
  let found = 0;
  for await (const each of below(directory, seen)) {
    found++;
    yield each;
  }
  if (found === 0)
    yield asSkipped(directory, "there are no recordings (*.jsonl, *.jsonl.gz, *.ndjson) in this directory");
}

/** Everything below a directory. One that was walked already is not walked again, so links cannot lead in circles. */
async function* below(directory: string, seen: Set<string>): AsyncGenerator<FoundRecording> {
  if (!(await isNew(directory, seen))) return;
  for (const name of (await readdir(directory)).sort()) {
    const path = join(directory, name);
    try {
      const info = await stat(path);
      if (info.isDirectory()) yield* below(path, seen);
      else if (info.isFile() && recordingName.test(name) && (await isNew(path, seen)))
        yield { type: "file", file: path };
    } catch (error) {
      if (recordingName.test(name)) yield unreadable(path, error);
    }
  }
}

async function isNew(path: string, seen: Set<string>): Promise<boolean> {
  const real = await realpath(path).catch(() => path); // a pipe has no real path
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
}

function unreadable(path: string, error: unknown): FoundRecording {
  return asSkipped(path, whyUnreadable(error).why);
}

function asSkipped(path: string, why: string): FoundRecording {
  return skip(path, 0, why) as FoundRecording; // `skip` makes skipped items only
}
