import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../io.ts";
import type { Story } from "./story.ts";

/** A temporary folder for the projects of the demo. */
export interface DemoFolder {
  readonly dir: string;
  /** Writes the project of a story. Resolves with its path. */
  createProject(story: Pick<Story, "name" | "files">): Promise<string>;
  remove(): Promise<void>;
}

/** Rejects if the folder cannot be created. */
export async function createDemoFolder(env: Io["env"]): Promise<DemoFolder> {
  const dir = await realpath(await mkdtemp(join(env["TMPDIR"] || tmpdir(), "sheepdog-demo-")));
  return {
    dir,
    async createProject({ name, files }) {
      const project = join(dir, name);
      await mkdir(project);
      for (const [file, content] of Object.entries(files)) await writeFile(join(project, file), content);
      return project;
    },
    remove: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}
