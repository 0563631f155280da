import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildProgram, type Program } from "./build-program.ts";
import { type Child, type ProcessOptions, start } from "./processes.ts";

/** What the tests of a file share: the program and a temporary folder. */
export interface ProcessFixture {
  /** A path in the temporary folder. */
  pathOf(name: string): string;
  start(job: string, input: object, options?: ProcessOptions): Child;
  /** Creates an empty file, for which a process waits. */
  createFile(path: string): void;
}

/** Builds the program before the tests of a file. After them, removes all files and ends all processes. */
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
  }, 60_000);
  return {
    pathOf: (name) => join(folder, name),
    createFile: (path) => writeFileSync(path, ""),
    start(job, input, options) {
      const child = start(program?.path ?? "", job, input, options);
      children.push(child);
      return child;
    },
  };
}
