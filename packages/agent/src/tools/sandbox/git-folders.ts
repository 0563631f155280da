import { existsSync, lstatSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";

/** The git repository of a workspace. All paths are real paths. */
export interface GitFolders {
  /** The top folder of the repository: the workspace or a parent of it. */
  readonly root: string;
  /** The file or folder `.git` in the root. */
  readonly entry: string;
  /** The folder with the objects, the configuration and the hooks. */
  readonly common: string;
  /** The folder of a linked worktree, inside the common folder. */
  readonly worktree?: string;
}

/** Finds the repository of a workspace without starting git, whose configuration could name programs. */
export function findGitFolders(workspace: string, home: string): GitFolders | undefined {
  const root = findRoot(workspace);
  if (root === undefined || isInside(root, home)) return undefined; // a repository of the home folder shows its secrets
  const entry = join(root, ".git");
  const folders = lstatSync(entry).isDirectory() ? { common: entry } : linkedWorktree(entry);
  return folders === undefined ? undefined : { root, entry, ...folders };
}

/**
 * Removes the file `commondir` of a git folder that is no linked worktree. Git never writes it there, and it would name
 * another folder with a configuration and hooks. Returns whether there was one.
 */
export function removeForgedCommonFolder({ common, entry }: GitFolders): boolean {
  const forged = join(common, "commondir");
  if (entry !== common || !existsSync(forged)) return false;
  rmSync(forged, { recursive: true });
  return true;
}

function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findRoot(parent);
}

/**
 * The git folders of a linked worktree. Its file `.git` could be written by an agent, so the folder that it names has
 * to name the file in turn: an agent cannot write there.
 */
function linkedWorktree(entry: string): Pick<GitFolders, "common" | "worktree"> | undefined {
  try {
    const named = /^gitdir: (.+)/.exec(readFileSync(entry, "utf8"))?.[1] ?? "";
    const folder = realpathSync(resolve(dirname(entry), named.trim()));
    const worktrees = dirname(folder);
    const namesEntry = resolve(folder, readFileSync(join(folder, "gitdir"), "utf8").trim());
    if (basename(worktrees) !== "worktrees" || realpathSync(namesEntry) !== realpathSync(entry)) return undefined;
    const common = dirname(worktrees);
    return existsSync(join(common, "objects")) ? { common, worktree: folder } : undefined;
  } catch {
    return undefined; // no linked worktree: a submodule, or something else
  }
}
