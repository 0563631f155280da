import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Linux's magic numbers of the file systems tmpfs and ramfs, which are in memory. */
const inMemory: readonly number[] = [0x01021994, 0x858458f6];

const base = process.env["BENCH_FOLDER"] ?? fileURLToPath(new URL("../results/local/durable/", import.meta.url));

/** Creates an empty folder in `BENCH_FOLDER`, else beside the results. Throws when it would be in memory. */
export function createFolder(): string {
  mkdirSync(base, { recursive: true });
  if (inMemory.includes(statfsSync(base).type))
    throw new Error(`Expected a folder on a disk; ${base} is in memory. Set BENCH_FOLDER to a folder on a disk.`);
  return mkdtempSync(join(base, "run-"));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
