import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildProgram, type Program } from "./build-program.ts";
import { type Child, type ProcessOptions, start } from "./processes.ts";

/** What the tests of a file share: the program, and a folder of their own. */
export interface ProcessFixture {
  /** A folder for one test. */
  pathOf(name: string): string;
  start(job: string, order: object, surroundings?: ProcessOptions): Child;
  /** Makes the file that others wait for. */
  createFile(path: string): void;
}

/** Builds the program before the tests of a file, and takes everything away after them; processes that a failed test has left as well. */
export function processFixture(): ProcessFixture {
  const folder = mkdtempSync(join(tmpdir(), "durable-"));
  const children: Child[] = [];
  let program: Program | undefined;
  beforeAll(async () => {
    program = await buildProgram();
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ ended }) => ended));
    program?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    pathOf: (name) => join(folder, name),
    createFile: (path) => writeFileSync(path, ""),
    start(job, order, surroundings) {
      const child = start(program?.path ?? "", job, order, surroundings);
      children.push(child);
      return child;
    },
  };
}
