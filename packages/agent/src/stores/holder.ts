import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Holder } from "./stores.ts";

/** This process, as one that writes to sessions. Made once a runtime: its id tells it from every other. */
export function thisProcess(): Holder {
  const ticks = ticksOf(process.pid);
  const start = kernel === undefined || ticks === undefined ? {} : { processStart: [...kernel, ticks].join("/") };
  return { id: `proc_${randomUUID()}`, pid: process.pid, host: hostname(), ...start };
}

/** Whether the process is known to be gone. One of another machine or container is not: nobody here can tell. */
export function isGone({ pid, host, processStart }: Holder): boolean {
  if (host !== hostname() || !Number.isSafeInteger(pid) || pid < 1) return false;
  if (kernel === undefined || processStart === undefined) return !answers(pid);
  const [boot, space, ticks] = processStart.split("/");
  if (boot !== kernel[0]) return true; // the machine was started anew since
  if (space !== kernel[1]) return false;
  return ticksOf(pid) !== ticks;
}

/** Which start of the machine and which space of process ids this is, where the system (Linux) tells. */
const kernel = readKernel();

function readKernel(): readonly [boot: string, space: string] | undefined {
  try {
    return [readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), readlinkSync("/proc/self/ns/pid")];
  } catch {
    return undefined; // no Linux, or /proc is not to be read: asking for the process itself has to do
  }
}

/** When a process began, in ticks since the machine's start; undefined where it is gone or has ended and waits for its parent. */
function ticksOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // from field 3 on: the name before may hold anything
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH"); // no permission: it is there
  }
}
