import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("fail-writes.c", import.meta.url));

const compiler = process.env["CC"] ?? "cc";

/** Why there is no failing disk on this machine; undefined where there is one. */
export const failingDiskProblem: string | undefined = reason();

function reason(): string | undefined {
  if (process.platform !== "linux") return "a failing disk is made with the dynamic linker of Linux";
  if (spawnSync(compiler, ["-fsyntax-only", source]).status !== 0)
    return "a failing disk is made with a C compiler: run apt-get install gcc libc6-dev";
  return undefined;
}

/** Compiles what makes the disk fail, into a folder. */
export function compileFailingDisk(folder: string): string {
  const library = join(folder, "fail-writes.so");
  const { status, stderr } = spawnSync(compiler, ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Expected the failing disk to compile: ${stderr}`);
  return library;
}
