import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A running process. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The command's name, for messages. */
  readonly name: string;
  /** Together with the pid it identifies the process: a pid is used again. Empty where the system does not tell. */
  readonly startedAt: string;
  /** The environment it was started with; empty where the system does not expose it. */
  readonly environment: string;
  /** Its resource limits, as text; empty where the system does not expose them. */
  readonly limits: string;
}

/** All processes but zombies. Synchronous, so that it also works while this process exits. */
export function runningProcesses(): readonly RunningProcess[] {
  return process.platform === "linux" ? fromProc() : fromPs();
}

function fromProc(): RunningProcess[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = contentOf(`/proc/${name}/stat`);
    const nameEnd = stat.lastIndexOf(")"); // the name may contain any character, also parentheses
    const fields = stat.slice(nameEnd + 2).split(" ");
    const [state, parent, group, session] = fields;
    if (nameEnd === -1 || state === "Z" || state === "X") return [];
    return [
      {
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        name: stat.slice(stat.indexOf("(") + 1, nameEnd),
        startedAt: fields[19] ?? "",
        get environment() {
          return contentOf(`/proc/${name}/environ`);
        },
        get limits() {
          return contentOf(`/proc/${name}/limits`);
        },
      },
    ];
  });
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has ended, or belongs to another user
  }
}

/** For systems without /proc. `-E` shows environments on macOS; other versions of `ps` run without it. */
export function fromPs(): RunningProcess[] {
  const columns = ["-o", "pid=,ppid=,pgid=,stat=,command="];
  return (ps(["-axEww", ...columns]) ?? ps(["-axww", ...columns]) ?? "").split("\n").flatMap((line) => {
    const [, pid, parent, group, stat, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || stat?.startsWith("Z") === true) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        name: command.slice(0, 60),
        startedAt: "",
        environment: command,
        limits: "",
      },
    ];
  });
}

function ps(args: readonly string[]): string | undefined {
  try {
    return execFileSync("ps", args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
      timeout: 5_000,
    });
  } catch {
    return undefined; // no such option, or no ps at all
  }
}
