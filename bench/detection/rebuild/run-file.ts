import { createWriteStream, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { JsonObject } from "./json.ts";

/** A compressed file of runs, one a line. It gets its name when it is complete. */
export interface RunFile {
  write(run: JsonObject): Promise<void>;
  /** Returns the path of the file; undefined when no run was written, then no file is created or replaced. */
  close(): Promise<string | undefined>;
}

/** Creates `labelled-runs.jsonl.gz` in a folder, which is created if it does not exist. */
export function createRunFile(folder: string): RunFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "labelled-runs.jsonl.gz");
  const incompletePath = `${path}.incomplete`;
  const gzip = createGzip();
  const saved = pipeline(gzip, createWriteStream(incompletePath));
  saved.catch(() => {}); // `close` reports the failure
  let runs = 0;
  return {
    write: (run) => {
      runs += 1;
      return new Promise((resolve, reject) => {
        gzip.write(`${JSON.stringify(run)}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: async () => {
      gzip.end();
      await saved;
      if (runs > 0) renameSync(incompletePath, path);
      else rmSync(incompletePath);
      return runs > 0 ? path : undefined;
    },
  };
}
