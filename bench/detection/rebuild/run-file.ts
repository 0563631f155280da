import { once } from "node:events";
import { createWriteStream, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { JsonObject } from "./json.ts";

/** A compressed file of runs, one a line. It gets its name when it is complete. */
export interface RunFile {
  readonly path: string;
  write(run: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** Creates `labelled-runs.jsonl.gz` in a folder, which is created if it does not exist. */
export function createRunFile(folder: string): RunFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "labelled-runs.jsonl.gz");
  const incomplete = `${path}.incomplete`;
  const gzip = createGzip();
  const file = gzip.pipe(createWriteStream(incomplete));
  return {
    path,
    write: async (run) => {
      if (!gzip.write(`${JSON.stringify(run)}\n`)) await once(gzip, "drain");
    },
    close: async () => {
      gzip.end();
      await finished(file);
      renameSync(incomplete, path);
    },
  };
}
