import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Holder } from "./stores.ts";

/** This process as a holder of leases. Call it once per runtime: every call returns a new id. */
export function thisProcess(): Holder {
  const ticks = startTicks(process.pid);
  const start = kernel === undefined || ticks === undefined ? {} : { processStart: [...kernel, ticks].join("/") };
  return { id: `proc_${randomUUID()}`, pid: process.pid, host: hostname(), ...start };
}

/** Whether a process is known to have ended. Always false for processes of another machine or container. */
export function isGone({ pid, host, processStart }: Holder): boolean {
  if (host !== hostname() || !Number.isSafeInteger(pid) || pid < 1) return false;
  if (kernel === undefined || processStart === undefined) return !isRunning(pid);
  const [bootId, pidNamespace, ticks] = processStart.split("/");
  if (bootId !== kernel[0]) return true; // the machine was restarted
  if (pidNamespace !== kernel[1]) return false;
  return startTicks(pid) !== ticks;
}

/** The boot and the pid namespace that pids belong to; undefined outside Linux, or when /proc cannot be read. */
const kernel = readKernelIds();

function readKernelIds(): readonly [bootId: string, pidNamespace: string] | undefined {
  try {
    return [readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), readlinkSync("/proc/self/ns/pid")];
  } catch {
    return undefined; // isGone then relies on signal 0
  }
}

/** When a process started, in clock ticks since boot; undefined when it has ended or is a zombie. */
function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // from field 3: the process name may hold blanks
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH"); // EPERM: it is running
  }
}
