import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../io.ts";
import type { Story } from "./story.ts";

/** A folder for as long as the demo lasts. */
export interface Workshop {
  readonly dir: string;
  /** Makes the project of a story; gives back where it is. */
  project(story: Pick<Story, "name" | "files">): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a folder among the temporary files. Rejects where none can be made there. */
export async function openWorkshop(env: Io["env"]): Promise<Workshop> {
  const dir = await realpath(await mkdtemp(join(env["TMPDIR"] || tmpdir(), "sheepdog-demo-")));
  return {
    dir,
    async project({ name, files }) {
      const folder = join(dir, name);
      await mkdir(folder);
      for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
      return folder;
    },
    remove: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}
