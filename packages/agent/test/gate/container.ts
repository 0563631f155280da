import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Change, changesBetween, snapshot } from "./canaries.ts";
import { readTrace, type Trace } from "./trace.ts";
import type { WorkspaceFixture } from "./workspace-fixture.ts";

/** What a command did in the container. */
export interface ContainerRun extends Trace {
  /** Files outside the workspace that are new, gone or different, and settings in it that are different. */
  readonly changes: readonly Change[];
  /** Null: the command was killed after its time limit. */
  readonly exitCode: number | null;
}

/** Why commands cannot be run in a container here, or undefined. */
export const missingForContainer: string | undefined = unlessRequired(findMissing());

/** How long a command may take. */
const timeLimitMs = 20_000;

const maxStderr = 10_000;

/** A command, and whether the gate says that it only reads. */
export interface ContainedCommand {
  readonly command: string;
  readonly isReader?: boolean;
}

/**
 * Runs a command line with bash as the bash tool does, in a copy of the fixture. The copy is at the path of the
 * fixture, in a container with a read-only system, without the user's home, without other processes and without
 * network. strace reports which files were opened and which programs were started. A command that only reads gets the
 * fixture itself, which it cannot change; that is faster, and strace reports where it tried to.
 */
export async function runInContainer(
  fixture: WorkspaceFixture,
  { command, isReader = false }: ContainedCommand,
): Promise<ContainerRun> {
  const folder = mkdtempSync(join(tmpdir(), "gate-run-"));
  try {
    const files = isReader ? fixture.root : join(folder, "copy");
    if (!isReader) await runToEnd("cp", ["--archive", fixture.root, files]);
    const mounts = [isReader ? "--ro-bind" : "--bind", files, fixture.root, "--bind", folder, "/trace"];
    const { exitCode } = await runToEnd("bwrap", [...containerOptions(fixture, mounts), ...traced(command)]);
    const trace = readTrace(readFileSync(join(folder, "trace"), "utf8"));
    const changes = isReader ? [] : changesBetween(snapshot(fixture, fixture.root), snapshot(fixture, files));
    return { ...trace, changes, exitCode };
  } finally {
    await rm(folder, { recursive: true, force: true });
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
  await Promise.all(Array.from({ length: Math.max(4, availableParallelism()) }, work));
}

function traced(command: string): readonly string[] {
  // -f: children too; --seccomp-bpf: other calls run at full speed; -y: the paths of opened files, without links
  const strace = ["strace", "-f", "--seccomp-bpf", "-y", "-e", "trace=%file", "-o", "/trace/trace"];
  return [...strace, "bash", "--noprofile", "--norc", "-c", command];
}

/** The arguments of bwrap for a container. `mounts` are further arguments: what else it shows. */
export function containerOptions({ home, workspace }: WorkspaceFixture, mounts: readonly string[]): readonly string[] {
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"],
    ...["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", "/etc", "/etc"],
    ...["/usr", "/bin", "/sbin", "/lib", "/lib64"].flatMap(readOnly),
    ...mounts,
    ...["--chdir", workspace],
    ...Object.entries(containerEnvironment(home)).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/** The variables of a command in a container. */
export function containerEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: `/usr/local/bin:/usr/bin:/bin:${home}/bin`,
    HOME: home,
    LANG: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    npm_config_update_notifier: "false",
    npm_config_fetch_retries: "0", // there is no network
  };
}

/** A folder of the system: the same link, or the same files to read. */
function readOnly(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (lstatSync(folder).isSymbolicLink()) return ["--symlink", readlinkSync(folder), folder];
  return ["--ro-bind", folder, folder];
}

/** How a program ended. `exitCode` is null if it was killed after the time limit. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Runs a program of the test itself, never one of a corpus: those are arguments of bwrap. */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "uid" | "gid" | "timeout"> = {},
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      timeout: timeLimitMs,
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
      killSignal: "SIGKILL",
    });
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (stderr.length < maxStderr) stderr += chunk.toString("utf8");
    });
    child.once("error", reject);
    child.once("exit", (exitCode) => resolve({ exitCode, stderr }));
  });
}

/** A machine that has to run these tests, such as the one for CI, sets the variable: nothing is skipped there. */
function unlessRequired(missing: string | undefined): string | undefined {
  if (missing !== undefined && process.env["SHEEPDOG_REQUIRE_SANDBOX"] === "1") throw new Error(missing);
  return missing;
}

function findMissing(): string | undefined {
  if (process.platform !== "linux") return "Containers need Linux.";
  const missing = ["bwrap", "strace", "git"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing.length > 0) return `Needs ${missing.join(" and ")}: sudo apt-get install bubblewrap strace git`;
  const minimal = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  if (spawnSync("bwrap", [...minimal, "strace", "-o", "/dev/null", "true"]).status === 0) return undefined;
  return "bwrap or strace may not be used here, for example inside another container.";
}
