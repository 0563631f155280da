import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { isInside } from "../../src/protocol/is-inside.ts";
import { childEnvironment } from "../../src/tools/processes/child-environment.ts";
import { bubblewrap } from "../../src/tools/sandbox/bubblewrap.ts";
import { readReport } from "../../src/tools/sandbox/inner-script.ts";
import { planMounts } from "../../src/tools/sandbox/plan-mounts.ts";
import { changesBetween, snapshot } from "./canaries.ts";
import { containerEnvironment, containerOptions, missingForContainer, runToEnd } from "./container.ts";
import type { WorkspaceFixture } from "./workspace-fixture.ts";

/**
 * Root cannot make a sandbox inside a container: the container covers parts of /proc, and then the system refuses a new
 * /proc. Another user can, and a list of dangerous commands should not run as root anyway.
 */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Why our sandbox cannot be run inside a container here, or undefined. */
export const missingForSandbox: string | undefined = missingForContainer ?? findMissing();

/** Lets the user of the containers read and change the fixture. */
export function giveToContainerUser({ root }: WorkspaceFixture): void {
  if (user.uid === undefined) return;
  const { status, stderr } = spawnSync("chown", ["-R", "--no-dereference", `${user.uid}:${user.gid}`, root]);
  if (status !== 0) throw new Error(`Expected chown to work: ${stderr}`);
}

/**
 * Runs a command line with bash in our sandbox, in a copy of the fixture at the path of the fixture. The sandbox itself
 * runs in the container of `container.ts`, so that a fault of the sandbox harms the copy only. Without `isSandboxed`
 * there is the container only: that shows what the command would do. Returns sentences about what happened outside the
 * workspace, and about a command that could not be judged.
 */
export async function findingsInSandbox(
  fixture: WorkspaceFixture,
  command: string,
  { isSandboxed = true, ...limit }: SandboxedRunOptions = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "gate-run-"));
  chmodSync(folder, 0o755);
  try {
    const copy = join(folder, "copy");
    await runToEnd("cp", ["--archive", fixture.root, copy]);
    const watched = await forgetReads(fixture, copy);
    const bash = ["bash", "--noprofile", "--norc", "-c", command] as const;
    const started = isSandboxed ? sandboxed(fixture, bash) : { mounts: [], argv: bash };
    const mounts = [...started.mounts, "--bind", copy, fixture.root];
    const { exitCode, stderr } = await runToEnd("bwrap", [...containerOptions(fixture, mounts), ...started.argv], {
      ...user,
      ...limit,
    });
    const { startError } = readReport(stderr);
    const read = watched.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.atimeMs !== 0);
    const changes = changesBetween(snapshot(fixture, fixture.root), snapshot(fixture, copy));
    return [
      ...changes.map(({ path, what }) => `~/${path} is ${what}`),
      ...read.map((path) => `~/${relative(homeIn(fixture, copy), path)} was read`),
      ...(startError === undefined ? [] : [`the sandbox was not started: ${startError}`]),
      ...(exitCode === null ? ["was killed after its time limit"] : []),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface SandboxedRunOptions {
  readonly isSandboxed?: boolean;
  /** Milliseconds; the default is the time limit of containers. */
  readonly timeout?: number;
}

/** The command line in the sandbox, and what the container has to show in addition: what the sandbox shows. */
function sandboxed({ root, home, workspace }: WorkspaceFixture, argv: readonly [string, ...string[]]) {
  const sandbox = bubblewrap({ program: "bwrap", home, hidden: [], gitConfig: "", hosts: [] });
  const environment = childEnvironment({}, { workspace, added: containerEnvironment(home) });
  const wrapped = sandbox.wrap({ workspace, environment, setup: limits, argv });
  const system = planMounts({ workspace, home, hidden: [], environment }).filter(
    // with a part of /proc covered, the system would refuse the sandbox its own
    ({ path, type }) => type === "read-only" && !isInside(root, path) && !isInside("/proc", path),
  );
  const variables = Object.entries(wrapped.environment).flatMap(([name, value]) => ["--setenv", name, value]);
  return {
    mounts: [...system.flatMap(({ path }) => ["--ro-bind", path, path]), ...variables],
    argv: wrapped.argv,
  };
}

/** The sandbox does not limit what a command uses up, so the test does: size of files, number of processes. */
const limits = "ulimit -f 65536; ulimit -u 4000; ";

/**
 * Sets the time of the last access of everything outside the workspace to 1970. Linux updates such an old time when the
 * file is read, in whatever way. Returns the paths.
 */
async function forgetReads(fixture: WorkspaceFixture, copy: string): Promise<readonly string[]> {
  const home = homeIn(fixture, copy);
  const workspace = join(copy, relative(fixture.root, fixture.workspace));
  const paths = [...snapshot(fixture, copy).keys()]
    .map((path) => join(home, path))
    .filter((path) => !isInside(workspace, path));
  await runToEnd("touch", ["-a", "--no-create", "--no-dereference", "--date=@0", ...paths]);
  return paths;
}

function homeIn({ root, home }: WorkspaceFixture, copy: string): string {
  return join(copy, relative(root, home));
}

function findMissing(): string | undefined {
  const minimal = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  const { status, stderr } = spawnSync("bwrap", [...minimal, "bwrap", ...minimal, "true"], user);
  if (status !== 0) return `A sandbox cannot be started inside a container here: ${stderr}`;
  return showsReads() ? undefined : "The file system of the temporary folder does not record when a file was read.";
}

function showsReads(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "gate-reads-"));
  try {
    const file = join(folder, "file");
    writeFileSync(file, "x");
    utimesSync(file, 0, 0);
    readFileSync(file);
    return statSync(file).atimeMs !== 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
