import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "../../home.ts";
import { isProcessRunning } from "../../is-process-running.ts";

/**
 * Makes a folder for one run of `watch`, named after this process. Those of processes that are gone are removed: a
 * `watch` that is killed cannot do it.
 */
export async function makeWatchFolder({ attachDir }: Pick<Home, "attachDir">): Promise<string> {
  await mkdir(attachDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(attachDir)) {
    const [, pid] = /^watch-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isProcessRunning(Number(pid)))
      await rm(join(attachDir, name), { recursive: true, force: true });
  }
  return mkdtemp(join(attachDir, `watch-${process.pid}-`));
}
