import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";

/** The git repository of a workspace. All paths are real paths. */
export interface GitFolders {
  /** The top folder of the repository: the workspace or a parent of it. */
  readonly root: string;
  /** `.git` in the root: a folder, a file, or a link to a folder. */
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
  const stats = lstatSync(entry);
  if (stats.isSymbolicLink()) return behindLink(root, entry);
  const folders = stats.isDirectory() ? { common: entry } : linkedWorktree(entry);
  return folders === undefined ? undefined : { root, entry, ...folders };
}

/** The folder that git takes for the git folder of a workspace, whether it may be shown in the sandbox or not. */
export interface UsedGitFolder {
  readonly path: string;
  /** Another folder at the same path has another identity. */
  readonly identity: string;
}

/** Follows links and files with the name of a git folder. Undefined if there is no repository. */
export function usedGitFolder(workspace: string): UsedGitFolder | undefined {
  const root = findRoot(workspace);
  if (root === undefined) return undefined;
  try {
    const entry = realpathSync(join(root, ".git"));
    const path = lstatSync(entry).isDirectory() ? entry : namedFolder(entry);
    const { ino, birthtimeMs } = lstatSync(path);
    return { path, identity: `${path} ${ino} ${birthtimeMs}` };
  } catch {
    return undefined; // it names a folder that does not exist
  }
}

function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findRoot(parent);
}

/** A link could lead to any folder, so it counts only if it stays beside itself or below. */
function behindLink(root: string, entry: string): GitFolders | undefined {
  const common = realpathSync(entry);
  return common !== root && isInside(root, common) && lstatSync(common).isDirectory()
    ? { root, entry, common }
    : undefined;
}

/** The folder that a file `.git` names. */
function namedFolder(entry: string): string {
  const named = /^gitdir: (.+)/.exec(readFileSync(entry, "utf8"))?.[1] ?? "";
  return realpathSync(resolve(dirname(entry), named.trim()));
}

/**
 * The git folders of a linked worktree. Its file `.git` could be written by an agent, so the folder that it names has
 * to name the file in turn: an agent cannot write there.
 */
function linkedWorktree(entry: string): Pick<GitFolders, "common" | "worktree"> | undefined {
  try {
    const folder = namedFolder(entry);
    const worktrees = dirname(folder);
    const namesEntry = resolve(folder, readFileSync(join(folder, "gitdir"), "utf8").trim());
    if (basename(worktrees) !== "worktrees" || realpathSync(namesEntry) !== realpathSync(entry)) return undefined;
    const common = dirname(worktrees);
    return existsSync(join(common, "objects")) ? { common, worktree: folder } : undefined;
  } catch {
    return undefined; // no linked worktree: a submodule, or something else
  }
}
