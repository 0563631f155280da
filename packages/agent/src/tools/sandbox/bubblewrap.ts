import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../processes/child-environment.ts";
import { contains } from "./contains.ts";
import { safeGitConfig } from "./git-identity.ts";
import { innerScript } from "./inner-script.ts";
import { droppedVariables } from "./mounts.ts";
import { type Mount, planMounts, visiblePath } from "./plan-mounts.ts";
import type { FoundSandbox, Sandbox, SandboxedCommand, SandboxRequest } from "./sandbox.ts";

export interface SandboxOptions {
  /** Absolute path. */
  readonly workspace: string;
  /** More folders with secrets, which commands cannot see. */
  readonly hidden?: readonly string[];
}

const installation = "Install it: apt install bubblewrap (or dnf install bubblewrap, pacman -S bubblewrap).";
const noNamespaces =
  "The system or its container must allow user namespaces; a container needs its own permission for them.";

const found = new Map<string, Promise<FoundSandbox>>();

/** Finds out whether commands can run in a sandbox, by starting one. The answer is kept for this process. */
export function findSandbox(options: SandboxOptions): Promise<FoundSandbox> {
  const key = JSON.stringify([homedir(), options]);
  const known = found.get(key) ?? probe(options);
  found.set(key, known);
  return known;
}

async function probe(options: SandboxOptions): Promise<FoundSandbox> {
  if (process.platform !== "linux")
    return { isAvailable: false, reason: "Only Linux has a sandbox for commands.", fix: "Use a virtual machine." };
  const workspace = realPath(options.workspace);
  const home = realPath(homedir()) ?? homedir();
  if (workspace === undefined)
    return { isAvailable: false, reason: "The workspace does not exist.", fix: "Create the folder." };
  if (contains(workspace, home))
    return {
      isAvailable: false,
      reason: "The workspace is the home folder or contains it, so the sandbox cannot hide the home folder.",
      fix: "Work in a folder of its own.",
    };
  const program = findBubblewrap(workspace);
  if (program === undefined) return { isAvailable: false, reason: "Bubblewrap is not installed.", fix: installation };
  const gitConfig = await safeGitConfig(childEnvironment(process.env));
  const sandbox = bubblewrap({ program, home, hidden: options.hidden ?? [], gitConfig });
  const problem = await tryOut(sandbox, workspace);
  if (problem === undefined) return { isAvailable: true, sandbox };
  return { isAvailable: false, reason: `Bubblewrap does not work here (${problem}).`, fix: noNamespaces };
}

/** Not from the workspace, where an agent could put a program of this name. */
function findBubblewrap(workspace: string): string | undefined {
  const folders = [
    "/usr/bin",
    "/usr/local/bin",
    "/run/current-system/sw/bin",
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  return folders
    .filter((folder) => folder.startsWith("/") && !contains(workspace, realPath(folder) ?? workspace))
    .map((folder) => join(folder, "bwrap"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Runs `true` in the sandbox. Returns what is wrong with it. */
function tryOut(sandbox: Sandbox, workspace: string): Promise<string | undefined> {
  const request = { workspace, environment: childEnvironment(process.env), setup: "", argv: ["true"] } as const;
  const { argv, environment } = sandbox.wrap(request);
  const [program, ...args] = argv;
  return new Promise((resolve) => {
    execFile(program, args, { env: environment, cwd: "/", timeout: 10_000 }, (error, _, stderr) => {
      if (error === null) resolve(undefined);
      else resolve(stderr.trim().split("\n")[0] || error.message.split("\n")[0]);
    });
  });
}

interface BubblewrapFacts {
  readonly program: string;
  readonly home: string;
  readonly hidden: readonly string[];
  readonly gitConfig: string;
}

function bubblewrap({ program, home, hidden, gitConfig }: BubblewrapFacts): Sandbox {
  return {
    hosts: [],
    wrap(request): SandboxedCommand {
      const workspace = realPath(request.workspace) ?? request.workspace;
      const environment = insideEnvironment(request);
      const mounts = planMounts({
        workspace,
        home,
        hidden: hidden.flatMap((path) => realPath(path) ?? []),
        environment,
      });
      const outside = homedir() === home ? [] : ["--symlink", home, homedir()];
      const isolation = [
        "--unshare-all", // no network, and no processes, messages, host name and control groups of the system
        "--die-with-parent", // when the agent dies, everything inside dies
        "--new-session", // no way to type into the terminal of the agent
        ...["--cap-drop", "ALL"], // root inside may do no more than another user
      ];
      const script = innerScript(request);
      const shell = ["bash", "--noprofile", "--norc", "-c", script, "bash", gitConfig, ...request.argv];
      return {
        argv: [
          program,
          ...isolation,
          ...["--proc", "/proc", "--dev", "/dev"],
          ...mounts.flatMap(mountArguments),
          ...outside,
          ...["--remount-ro", "/"],
          ...["--chdir", workspace],
          ...["--", ...shell],
        ],
        environment,
      };
    },
  };
}

function insideEnvironment({ environment }: SandboxRequest): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(([name]) => !droppedVariables.includes(name));
  return { ...Object.fromEntries(kept), PATH: visiblePath(environment["PATH"] ?? "/usr/bin:/bin") };
}

function mountArguments({ path, type, target = "" }: Mount): readonly string[] {
  switch (type) {
    case "read-only":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "private":
      return ["--tmpfs", path];
    case "empty":
      return isFile(path) ? ["--ro-bind", "/dev/null", path] : ["--tmpfs", path, "--remount-ro", path];
    case "link":
      return ["--symlink", target, path];
    default:
      return type satisfies never;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // it does not exist
  }
}
