import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Change, changesBetween, snapshot } from "./canaries.ts";
import { readTrace, type Trace } from "./trace.ts";
import type { WorkspaceFixture } from "./workspace-fixture.ts";

/** What a command did in the container. */
export interface ContainerRun extends Trace {
  /** Files outside the workspace that are new, gone or different, and settings in it that are different. */
  readonly changes: readonly Change[];
  readonly exitCode: number | null;
}

/** Why commands cannot be run in a container here, or undefined. */
export const missingForContainer: string | undefined = findMissing();

const timeLimitMs = 20_000;

/**
 * Runs a command line with bash as the bash tool does, in a copy of the fixture. The copy is at the path of the
 * fixture, in a container with a read-only system, without the user's home, without other processes and without
 * network. strace reports which files were opened and which programs were started.
 */
export async function runInContainer(fixture: WorkspaceFixture, command: string): Promise<ContainerRun> {
  const folder = mkdtempSync(join(tmpdir(), "gate-run-"));
  try {
    const copy = join(folder, "copy");
    const traces = join(folder, "trace");
    mkdirSync(traces);
    await runToEnd("cp", ["--archive", fixture.root, copy]);
    const exitCode = await runToEnd("bwrap", [...containerOptions(fixture, copy, traces), ...traced(command)]);
    const trace = readTrace(readFileSync(join(traces, "trace"), "utf8"));
    return { ...trace, changes: changesBetween(snapshot(fixture, fixture.root), snapshot(fixture, copy)), exitCode };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls an action for each item, some of them at the same time. */
export async function forEachInParallel<Item>(
  items: readonly Item[],
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const work = async () => {
    for (const item of remaining) await action(item); // the iterator is shared, so each item is taken once
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

function traced(command: string): readonly string[] {
  const strace = ["strace", "-f", "--seccomp-bpf", "-y", "-e", "trace=%file", "-o", "/trace/trace"]; // -y: paths of opened files
  return [...strace, "bash", "--noprofile", "--norc", "-c", command];
}

function containerOptions({ root, home, workspace }: WorkspaceFixture, copy: string, traces: string): string[] {
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"],
    ...["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", "/etc", "/etc"],
    ...["/usr", "/bin", "/sbin", "/lib", "/lib64"].flatMap(readOnly),
    ...["--bind", copy, root, "--bind", traces, "/trace", "--chdir", workspace],
    ...["--setenv", "PATH", `/usr/local/bin:/usr/bin:/bin:${home}/bin`, "--setenv", "HOME", home],
    ...["--setenv", "LANG", "C.UTF-8"],
    ...["--setenv", "GIT_TERMINAL_PROMPT", "0", "--setenv", "npm_config_update_notifier", "false"],
  ];
}

/** A folder of the system: the same link, or the same files to read. */
function readOnly(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (lstatSync(folder).isSymbolicLink()) return ["--symlink", readlinkSync(folder), folder];
  return ["--ro-bind", folder, folder];
}

function runToEnd(program: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "ignore", timeout: timeLimitMs, killSignal: "SIGKILL" });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}

function findMissing(): string | undefined {
  if (process.platform !== "linux") return "Containers need Linux.";
  const missing = ["bwrap", "strace", "git"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing.length > 0) return `Needs ${missing.join(" and ")}: sudo apt-get install bubblewrap strace git`;
  const minimal = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  if (spawnSync("bwrap", [...minimal, "strace", "-o", "/dev/null", "true"]).status === 0) return undefined;
  return "bwrap or strace may not be used here, for example inside another container.";
}
