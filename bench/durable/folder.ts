import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** File systems that are in memory, by the number Linux has for them: tmpfs and ramfs. */
const inMemory: readonly number[] = [0x01021994, 0x858458f6];

const base = process.env["BENCH_FOLDER"] ?? fileURLToPath(new URL("../results/local/durable/", import.meta.url));

/** An empty folder on a disk; in `BENCH_FOLDER` where that is set, else beside the results. Throws where it would be in memory: a sync costs nothing there. */
export function freshFolder(): string {
  mkdirSync(base, { recursive: true });
  const { type } = statfsSync(base);
  if (inMemory.includes(type))
    throw new Error(`Expected a folder on a disk; ${base} is in memory. Set BENCH_FOLDER to one that is not.`);
  return mkdtempSync(join(base, "game-"));
}

/** Removes such a folder. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
