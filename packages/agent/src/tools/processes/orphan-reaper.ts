import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { ProcessTreeId } from "./process-tree.ts";
import { markVariable } from "./tree-mark.ts";

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
    shell?.stdin?.write(`${command} ${leader} ${mark.text} ${mark.lockLimit}\n`);
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
 * Processes that left their group are found by their mark, where the system exposes environments and limits. The marks
 * are read before the first kill. The script repeats the kill until it finds nothing: a process that is being forked
 * during one round is found in the next.
 */
const reaperScript = `
while read -r command leader marks; do
  if [ "$command" = track ]; then
    set -- "$@" "$leader $marks"
  else
    for each in "$@"; do
      shift
      [ "$each" = "$leader $marks" ] || set -- "$@" "$each"
    done
  fi
done
[ $# -gt 0 ] || exit
marked() {
  for each in "$@"; do printf '%s\\n' \${each#* }; done |
    grep -lasF -f - /proc/[0-9]*/environ /proc/[0-9]*/limits | cut -d/ -f3 | sort -u
}
quiet=0
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  pids=$(marked "$@")
  for each in "$@"; do kill -KILL "-\${each%% *}"; done
  for pid in $pids; do kill -KILL "$pid"; done
  if [ -z "$pids" ]; then quiet=$((quiet + 1)); else quiet=0; fi
  [ $quiet -lt 2 ] || exit
done
`;
