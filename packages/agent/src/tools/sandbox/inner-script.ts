import type { SandboxRequest } from "./sandbox.ts";

/**
 * The shell script that runs inside the sandbox, beside the command: it prepares the private home folder, runs the
 * command, reports what still runs after it, and ends with its exit code. Its stderr is the report.
 */
export function innerScript({ setup, relay }: Pick<SandboxRequest, "setup"> & { readonly relay: string }): string {
  return `
trap : TERM HUP INT
relay=
${relay}[ -z "$1" ] || printf %s "$1" > "$HOME/.gitconfig"
shift
( ${setup} exec "$@" ) 2>&1
code=$?
for file in /proc/[0-9]*/stat; do
  pid=\${file#/proc/} pid=\${pid%/stat}
  [ "$pid" = 1 ] || [ "$pid" = $$ ] || [ "$pid" = "$relay" ] || ! { read -r stat < "$file"; } 2>/dev/null && continue
  state=\${stat##*) } name=\${stat#*(}
  case $state in [ZX]*) continue ;; esac
  printf '${leftPrefix}%s\\n' "\${name%)*}" >&2
done
exit $code
`;
}

const leftPrefix = "left running: ";

/** What the sandbox reports about a command. */
export interface SandboxReport {
  /** Names of processes that still ran when the command ended; they were killed. */
  readonly leftBehind: readonly string[];
  /** The command was killed by a signal: bash writes a line about it. */
  readonly isKilledBySignal: boolean;
  /** Why the sandbox could not be started: the command did not run. */
  readonly startError?: string;
}

/** Reads the stderr of a sandboxed command. */
export function readReport(stderr: string): SandboxReport {
  const lines = stderr.split("\n");
  const startError = lines.find((line) => line.startsWith("bwrap: "))?.slice("bwrap: ".length);
  return {
    leftBehind: lines.flatMap((line) => (line.startsWith(leftPrefix) ? [line.slice(leftPrefix.length)] : [])),
    isKilledBySignal: lines.some((line) => /^\S+: \S+ \d+: +\d+ /.test(line)), // "bash: line 5: 4 Killed …"
    ...(startError === undefined ? {} : { startError }),
  };
}
