import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { markVariable, type ProcessTreeId } from "./process-tree.ts";

/** Kills the tracked process trees when this process dies, even by SIGKILL. */
export interface OrphanReaper {
  track(id: ProcessTreeId): void;
  untrack(id: ProcessTreeId): void;
}

/**
 * Creates a reaper for the process trees in `tracked`, which the caller updates before it calls `track` and `untrack`.
 * The reaper is a small shell in a session of its own. It reads from a pipe whose other end only this process holds:
 * the system closes the pipe when this process dies, however that happens, and then the shell kills what is tracked.
 */
export function createOrphanReaper(tracked: ReadonlySet<ProcessTreeId>): OrphanReaper {
  let shell: ChildProcess | undefined; // runs while any tree is tracked
  const send = (command: "track" | "untrack", { leader, mark }: ProcessTreeId) =>
    shell?.stdin?.write(`${command} ${leader} ${mark}\n`);
  return {
    track(id) {
      if (shell !== undefined) {
        send("track", id);
        return;
      }
      const started = startShell(() => {
        if (shell === started) shell = undefined;
      });
      shell = started;
      for (const each of tracked) send("track", each);
    },
    untrack(id) {
      send("untrack", id);
      if (tracked.size > 0) return;
      shell?.stdin?.end();
      shell = undefined;
    },
  };
}

/** Without a shell, commands are still killed at every exit of this process but a kill by signal. */
function startShell(onEnd: () => void): ChildProcess | undefined {
  const { PATH = "", [markVariable]: marks } = process.env;
  const systemPath = "/usr/bin:/bin"; // first: PATH may contain folders of the project, which an agent can write to
  // With the marks of the agents that started this one, their own kill reaches this shell as well.
  const env = { PATH: `${systemPath}:${PATH}`, ...(marks === undefined ? {} : { [markVariable]: marks }) };
  try {
    const shell: ChildProcess = spawn("/bin/sh", ["-c", reaperScript], {
      cwd: "/",
      env,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    shell.once("error", onEnd).once("exit", onEnd).unref();
    shell.stdin?.on("error", onEnd);
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    return shell;
  } catch {
    return undefined; // the system has no resources for another process
  }
}

/**
 * Processes that left their group are found by their mark, where the system exposes environments. The script repeats
 * the kill: a process that is being forked during one round is found in the next.
 */
const reaperScript = `
while read -r command leader mark; do
  if [ "$command" = track ]; then
    set -- "$@" "$leader $mark"
  else
    for each in "$@"; do
      shift
      [ "$each" = "$leader $mark" ] || set -- "$@" "$each"
    done
  fi
done
[ $# -gt 0 ] || exit
for round in 1 2 3; do
  for each in "$@"; do kill -KILL "-\${each% *}"; done
  for environ in $(for each in "$@"; do echo "\${each#* }"; done | grep -lasF -f - /proc/[0-9]*/environ); do
    pid=\${environ#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done
`;
