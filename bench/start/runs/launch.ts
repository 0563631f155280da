import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Command } from "../programs.ts";

/** A program that has exited. */
export interface Exit {
  readonly code: number;
  /** Milliseconds from launch to exit. */
  readonly clockMs: number;
  /** Milliseconds of processor time, user and system, of the program and its descendants. */
  readonly cpuMs: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Runs the program in a PID namespace: orphaned descendants are counted, and none survives. */
  readonly isIsolated: boolean;
}

const script = fileURLToPath(new URL("launch.sh", import.meta.url));
const timeoutMs = 180_000;
const intoNamespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Runs a program to its exit and measures it. Throws when it takes longer than three minutes. */
export async function launch(program: Command, { env, cwd, isIsolated }: LaunchOptions): Promise<Exit> {
  const [executable = "", ...args] = [...(isIsolated ? intoNamespace : []), "bash", script, ...program];
  const startedAt = performance.now();
  const child = spawn(executable, args, { env, cwd, detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] });
  const killGroup = () => killProcessGroup(child.pid);
  const timer = setTimeout(killGroup, timeoutMs);
  process.once("exit", killGroup);
  try {
    const [stdout, stderr, { report, clockMs }] = await Promise.race([
      Promise.all([
        text(child.stdout as Readable), // piped, as the two below
        text(child.stderr as Readable),
        readReport(child.stdio[3] as Readable, startedAt),
      ]),
      new Promise<never>((_, reject) => child.once("error", reject)),
    ]);
    const [code, , childTimes] = report.split("\n");
    if (code === undefined || childTimes === undefined)
      throw new Error(`it did not exit within ${timeoutMs / 1_000} seconds`);
    return { code: Number(code), clockMs, cpuMs: millisIn(childTimes), stdout, stderr };
  } finally {
    clearTimeout(timer);
    process.off("exit", killGroup);
    killGroup();
  }
}

/** Reads what launch.sh reports; the first line arrives when the program exits. */
async function readReport(
  stream: Readable,
  startedAt: number,
): Promise<{ readonly report: string; readonly clockMs: number }> {
  let report = "";
  let clockMs = Number.NaN;
  for await (const chunk of stream) {
    if (report === "") clockMs = performance.now() - startedAt;
    report += String(chunk);
  }
  return { report, clockMs };
}

/** Adds user and system time as bash prints them: `0m1.234s 0m0.100s`. */
function millisIn(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`Expected user and system time from bash; got ${times}.`);
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000, 0);
}

/** Kills what is left of the process group that `launch` created. */
function killProcessGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has exited.
  }
}
