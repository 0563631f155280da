import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Creates a folder for each test. Returns a function that writes a file into it and returns its path. */
export function scratchFolder(): (name: string, content?: string | Uint8Array) => Promise<string> {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sheepdog-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return async (name, content) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (content !== undefined) await writeFile(path, content);
    return path;
  };
}
