import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { GitFolders } from "./git-folders.ts";

/** The submodules in the index of a repository: `git status` at its top starts git in each of them. */
export interface Gitlinks {
  /** Changes with the index. */
  readonly state: string;
  /** Paths from the top of the repository, in bytes (latin1): a name need not be text. */
  readonly paths: readonly string[];
}

/** Reads the index again only if it has changed. */
export function readGitlinks(git: GitFolders, path: string, known: Gitlinks | undefined): Gitlinks {
  const stats = statSync(join(git.worktree ?? git.common, "index"), { throwIfNoEntry: false });
  const state = stats === undefined ? "" : `${git.root} ${stats.ino} ${stats.size} ${stats.ctimeMs}`;
  if (state === known?.state) return known;
  const listed = state === "" ? "" : runGit(git, path, ["ls-files", "--stage", "-z"]);
  const submodules = listed.split("\0").filter((entry) => entry.startsWith("160000 "));
  return { state, paths: submodules.map((entry) => entry.slice(entry.indexOf("\t") + 1)) };
}

/** Takes submodules out of the index. Their files stay. */
export function removeGitlinks(git: GitFolders, path: string, paths: readonly string[]): void {
  runGit(git, path, ["update-index", "--force-remove", "-z", "--stdin"], paths.join("\0"));
}

/** In a repository whose settings no command in the sandbox can change. */
function runGit({ root }: GitFolders, path: string, args: readonly string[], input = ""): string {
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: root,
    env: { PATH: path, HOME: process.env["HOME"] },
    input: Buffer.from(input, "latin1"),
    encoding: "latin1",
    stdio: ["pipe", "pipe", "ignore"],
    timeout: 10_000,
    maxBuffer: 512 * 1024 * 1024,
  };
  try {
    return execFileSync("git", ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", ...args], options);
  } catch {
    return ""; // git is missing, or it refuses the repository or its index: it does for the user, too
  }
}
