import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { markVariable, type ProcessTreeId } from "./process-tree.ts";

/** Hears of commands that begin and end; what is left of those that have not ended is killed once nobody can tell it anything any more. */
export interface OrphanReaper {
  track(sign: ProcessTreeId): void;
  untrack(sign: ProcessTreeId): void;
}

/**
 * The last will of this process about the commands that are `live`, which holds as well where it is killed and cannot end anything itself. A small shell in a session of
 * its own carries it out: it reads from a pipe whose other end only this process has, so that the system closes it with the process, however that ends.
 */
export function createOrphanReaper(live: ReadonlySet<ProcessTreeId>): OrphanReaper {
  let shell: ChildProcess | undefined; // as long as a command runs
  const tell = (word: string, { leader, mark }: ProcessTreeId) => shell?.stdin?.write(`${word} ${leader} ${mark}\n`);
  return {
    track(sign) {
      if (shell !== undefined) {
        tell("begun", sign);
        return;
      }
      const started = startShell(() => {
        if (shell === started) shell = undefined;
      });
      shell = started;
      for (const each of live) tell("begun", each);
    },
    untrack(sign) {
      tell("ended", sign);
      if (live.size > 0) return;
      shell?.stdin?.end(); // nothing is left to be done
      shell = undefined;
    },
  };
}

/** Where it cannot be started, or ends before us, commands end with this process as long as that can see to it. */
function startShell(onGone: () => void): ChildProcess | undefined {
  const { PATH = "", [markVariable]: marks } = process.env;
  const system = "/usr/bin:/bin"; // first: a project's own folders, which an agent can write to, may be in the path
  const env = { PATH: `${system}:${PATH}`, ...(marks === undefined ? {} : { [markVariable]: marks }) }; // an agent above ends it, too
  try {
    const shell: ChildProcess = spawn("/bin/sh", ["-c", carryOut], {
      cwd: "/",
      env,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    shell.once("error", onGone).once("exit", onGone).unref();
    shell.stdin?.on("error", onGone);
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    return shell;
  } catch {
    return undefined; // the system has no room for it
  }
}

/** Those who left their group are known by their mark, where the system shows environments. Several times: who is just being forked is there the next time. */
const carryOut = `
while read -r word leader mark; do
  if [ "$word" = begun ]; then
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
  for found in $(for each in "$@"; do echo "\${each#* }"; done | grep -lasF -f - /proc/[0-9]*/environ); do
    pid=\${found#/proc/}
    kill -KILL "\${pid%/environ}"
  done
done
`;
