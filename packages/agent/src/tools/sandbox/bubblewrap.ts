import { homedir } from "node:os";
import { hiddenFolderVariables } from "../processes/passed-variables.ts";
import { protectGit, removeForgedCommonFolder, watchRepositories } from "./git-protection.ts";
import { innerScript } from "./inner-script.ts";
import type { NestedRepositories } from "./nested-repositories.ts";
import { type Mount, planMounts, visiblePath } from "./plan-mounts.ts";
import { proxyVariables, relayCommand, socketInside } from "./proxy/relay.ts";
import { realPath } from "./real-path.ts";
import type { Sandbox, SandboxRequest } from "./sandbox.ts";

/** What stays the same for all commands of a sandbox. */
export interface BubblewrapFacts {
  /** The path of bwrap. */
  readonly program: string;
  /** The real path of the home folder. */
  readonly home: string;
  readonly hidden: readonly string[];
  /** The content of ~/.gitconfig inside. */
  readonly gitConfig: string;
  readonly hosts: readonly string[];
  /** The Unix socket of the proxy. Absent: the network is off. */
  readonly proxySocket?: string;
}

const isolation: readonly string[] = [
  "--unshare-all", // no network, and no processes, messages, host name and control groups of the system
  "--die-with-parent", // when the agent dies, everything inside dies
  "--new-session", // no way to type into the terminal of the agent
  ...["--cap-drop", "ALL"], // root inside may do no more than another user
  ...["--proc", "/proc"], // the processes of the sandbox only
  ...["--dev", "/dev"], // no disks, no terminals
];

/** A sandbox that bubblewrap makes of the mounts in `mounts.ts`. */
export function bubblewrap(facts: BubblewrapFacts): Sandbox {
  const { program, home, gitConfig, hosts, proxySocket } = facts;
  const watched = new Map<string, NestedRepositories>(); // by workspace
  return {
    hosts,
    wrap(request) {
      const workspace = realPath(request.workspace) ?? request.workspace;
      const environment = insideEnvironment(request, proxySocket !== undefined);
      const hidden = facts.hidden.flatMap((path) => realPath(path) ?? []);
      const mounts = planMounts({ workspace, home, hidden, environment });
      const script = innerScript({ ...request, relay: proxySocket === undefined ? "" : relayCommand() });
      return {
        argv: [
          program,
          ...isolation,
          ...mounts.flatMap(mountArguments),
          ...(homedir() === home ? [] : ["--symlink", home, homedir()]),
          ...(proxySocket === undefined ? [] : ["--bind", proxySocket, socketInside]),
          ...["/", ...mounts.flatMap(emptyFolder)].flatMap((path) => ["--remount-ro", path]), // after all mounts inside
          ...["--chdir", workspace],
          ...["--", "bash", "--noprofile", "--norc", "-c", script, "bash", gitConfig, ...request.argv],
        ],
        environment,
      };
    },
    protectGit(folder) {
      const workspace = realPath(folder) ?? folder;
      const nested = watched.get(workspace) ?? watchRepositories(workspace);
      watched.set(workspace, nested);
      return protectGit(workspace, home, nested);
    },
    undoForgery: (workspace) => removeForgedCommonFolder(realPath(workspace) ?? workspace, home),
  };
}

function insideEnvironment({ environment }: SandboxRequest, hasProxy: boolean): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(([name]) => !hiddenFolderVariables.includes(name));
  return {
    ...Object.fromEntries(kept),
    PATH: visiblePath(environment["PATH"] ?? "/usr/bin:/bin"),
    ...(hasProxy ? proxyVariables : {}),
  };
}

function mountArguments({ path, type, target = "" }: Mount): readonly string[] {
  switch (type) {
    case "read-only":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "private":
      return ["--tmpfs", path];
    case "empty-folder":
      return ["--tmpfs", path];
    case "empty-file":
      return ["--ro-bind", "/dev/null", path];
    case "link":
      return ["--symlink", target, path];
    default:
      return type satisfies never;
  }
}

function emptyFolder({ path, type }: Mount): readonly string[] {
  return type === "empty-folder" ? [path] : [];
}
