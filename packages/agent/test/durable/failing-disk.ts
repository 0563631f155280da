import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("fail-writes.c", import.meta.url));

const compiler = process.env["CC"] ?? "cc";

/** Why this machine cannot simulate a failing disk; undefined when it can. */
export const failingDiskProblem: string | undefined = findProblem();

function findProblem(): string | undefined {
  if (process.platform !== "linux") return "a failing disk needs the dynamic linker of Linux";
  if (spawnSync(compiler, ["-fsyntax-only", source]).status !== 0)
    return "a failing disk needs a C compiler: run apt-get install gcc libc6-dev";
  return undefined;
}

/** Compiles the library that makes writes fail. Returns its path. */
export function compileFailingDisk(folder: string): string {
  const library = join(folder, "fail-writes.so");
  const { status, stderr } = spawnSync(compiler, ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Expected the failing disk to compile: ${stderr}`);
  return library;
}
