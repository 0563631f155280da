import { closeSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { Interrupt } from "@sheepdog/integrations/hooks";
import { openRegularFile } from "@sheepdog/records/files";

/** The time in which the agent shows why, before it is interrupted. */
const PAUSE_SECONDS = 0.3;
const MAX_LINE_BYTES = 65_536;

/**
 * Interrupts the program that started this hook, if it runs without a terminal: one with a terminal would leave it
 * unusable. Where the program is not found, it continues, and its calls are refused.
 */
export function interruptAgent({ program, recording, headlessMark }: Interrupt, parent: number): void {
  try {
    if (!firstLine(recording).includes(headlessMark)) return;
    const pid = findAncestor(program, parent, runningProcesses());
    if (pid === undefined) return;
    const command = `sleep ${PAUSE_SECONDS}; kill -INT ${pid}`;
    const { spawn } = childProcesses();
    spawn("sh", ["-c", command], { detached: true, stdio: "ignore" })
      .on("error", () => {}) // there is no `sh`
      .unref();
  } catch {
    // no recording, or no `ps`
  }
}

function firstLine(file: string): string {
  const descriptor = openRegularFile(file);
  try {
    const bytes = Buffer.alloc(MAX_LINE_BYTES);
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, MAX_LINE_BYTES, 0));
    return text.split("\n", 1)[0] ?? "";
  } finally {
    closeSync(descriptor);
  }
}

/** Loaded when it is needed: it would delay every other hook. */
function childProcesses(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}

/** A running process: its parent and its program. */
interface Running {
  readonly parent: number;
  readonly program: string;
}

function runningProcesses(): ReadonlyMap<number, Running> {
  const table = childProcesses().execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" });
  const rows = table.split("\n").flatMap((line) => {
    const [, pid, parent, program] = /^\s*(\d+)\s+(\d+)\s+(.+)$/.exec(line) ?? [];
    return program === undefined ? [] : [[Number(pid), { parent: Number(parent), program }] as const];
  });
  return new Map(rows);
}

/** The nearest process of this program among the ancestors of the hook. */
export function findAncestor(program: string, from: number, running: ReadonlyMap<number, Running>): number | undefined {
  const seen = new Set<number>();
  for (let pid = from; !seen.has(pid); pid = running.get(pid)?.parent ?? pid) {
    seen.add(pid);
    if (basename(running.get(pid)?.program ?? "") === program) return pid;
  }
  return undefined;
}
