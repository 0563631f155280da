import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Starts other processes, and removes their program. */
export interface OtherProcesses {
  start(job: "lock" | "claim" | "count" | "events", path: string): OtherProcess;
  remove(): void;
}

interface OtherProcess {
  /** The word it prints when its work is done. */
  readonly word: Promise<string>;
  /** Lets it end by itself. Resolves with its exit code. */
  end(): Promise<unknown>;
  kill(): Promise<unknown>;
}

/** Builds the program of other processes, in a folder from which Node finds the packages. */
export async function buildOtherProcesses(): Promise<OtherProcesses> {
  const cache = fileURLToPath(new URL("../../../../../../node_modules/.cache", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "stores-"));
  const program = join(folder, "program.mjs");
  const bundle = await rolldown({
    input: fileURLToPath(new URL("program.ts", import.meta.url)),
    platform: "node",
    external: ["@photostructure/sqlite"],
    resolve: { conditionNames: ["@sheepdog/source", "node", "import", "default"] },
  });
  await bundle.write({ file: program, format: "esm", codeSplitting: false });
  await bundle.close();
  return {
    start: (job, path) =>
      processOf(spawn(process.execPath, [program, job, path], { stdio: ["pipe", "pipe", "inherit"] })),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function processOf(child: ChildProcess): OtherProcess {
  const exited = once(child, "exit").then(([code]) => code as unknown);
  return {
    word: once(child.stdout ?? child, "data").then(String),
    end() {
      child.stdin?.end();
      return exited;
    },
    kill() {
      child.kill("SIGKILL");
      return exited;
    },
  };
}
