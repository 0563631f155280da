import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { childEnvironment } from "../processes/child-environment.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { safeGitConfig } from "./git-identity.ts";
import { startProxy } from "./proxy/start-proxy.ts";
import { realPath } from "./real-path.ts";
import type { FoundSandbox } from "./sandbox.ts";
import { trySandbox } from "./try-sandbox.ts";

export interface SandboxOptions {
  /** Absolute path. */
  readonly workspace: string;
  /** More folders with secrets, which commands cannot see. */
  readonly hidden?: readonly string[];
  /**
   * Hosts that commands can reach through a proxy, such as `registry.example.org`, or `localhost:4873` with a port
   * other than 80 and 443. A private address has to be listed itself. Default: none, the network is off.
   */
  readonly hosts?: readonly string[];
}

const installation = "Install it: apt install bubblewrap (or dnf install bubblewrap, pacman -S bubblewrap).";

const found = new Map<string, Promise<FoundSandbox>>();

/** Finds out whether commands can run in a sandbox, by starting one. A sandbox that works is kept for this process. */
export async function findSandbox(options: SandboxOptions): Promise<FoundSandbox> {
  const key = JSON.stringify([homedir(), options]);
  const known = found.get(key) ?? probe(options).catch(unprepared);
  found.set(key, known);
  const answer = await known;
  if (!answer.isAvailable) found.delete(key);
  return answer;
}

function unprepared(error: unknown): FoundSandbox {
  const message = error instanceof Error ? error.message : String(error);
  return unavailable(
    `The sandbox could not be prepared (${message}).`,
    "Check that the folder for temporary files exists and is writable.",
  );
}

async function probe({ workspace: folder, hidden = [], hosts = [] }: SandboxOptions): Promise<FoundSandbox> {
  if (process.platform !== "linux")
    return unavailable(
      "Only Linux has a sandbox for commands.",
      "Use a virtual machine for code that you do not trust.",
    );
  const workspace = realPath(folder);
  const home = realPath(homedir()) ?? homedir();
  if (workspace === undefined) return unavailable("The workspace does not exist.", "Create the folder.");
  if (isInside(workspace, home))
    return unavailable(
      "The workspace is the home folder or contains it, so a sandbox cannot hide the home folder.",
      "Work in a folder of its own.",
    );
  const program = findBubblewrap(workspace);
  if (program === undefined) return unavailable("Bubblewrap is not installed.", installation);
  const gitConfig = await safeGitConfig(childEnvironment(process.env, { workspace, isOutsideSandbox: true }));
  const proxy = hosts.length === 0 ? {} : { proxySocket: await startProxy(hosts) };
  const sandbox = bubblewrap({ program, home, hidden, gitConfig, hosts, ...proxy });
  return trySandbox(sandbox, workspace);
}

function unavailable(reason: string, fix: string): FoundSandbox {
  return { isAvailable: false, reason, fix };
}

/** Not from the workspace, where an agent could put a program of this name. */
function findBubblewrap(workspace: string): string | undefined {
  const systemFolders = ["/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"];
  return [...systemFolders, ...(process.env["PATH"] ?? "").split(":")]
    .filter((folder) => folder.startsWith("/") && !isInside(workspace, realPath(folder) ?? workspace))
    .map((folder) => join(folder, "bwrap"))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
