import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readRegularFile } from "@sheepdog/records/files";
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
  const used = realFolder(entry);
  if (used === undefined || used === root) return undefined;
  if (isInside(root, used)) return { root, entry, common: used };
  const folders = lstatSync(entry).isFile() ? linkedWorktree(entry, used) : undefined;
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
  const path = realFolder(join(root, ".git"));
  return path === undefined ? undefined : { path, identity: `${path} ${identityOf(path)}` };
}

/** Stays the same when a folder is moved or changed. */
export function identityOf(folder: string): string {
  const { ino, birthtimeMs } = lstatSync(folder);
  return `${ino} ${birthtimeMs}`;
}

/** True if `.git` is a file or a link that names something that only git can find, such as a name that is no text. */
export function hasUnreadableName(entry: string): boolean {
  if (lstatSync(entry, { throwIfNoEntry: false })?.isDirectory() !== false) return false;
  const path = namedPath(entry);
  return path !== undefined && (/[\0\ufffd]/.test(path) || (existsSync(path) && realFolder(entry) === undefined));
}

function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findRoot(parent);
}

/** The real path of the folder that git takes for `.git`. Undefined if there is none. */
export function realFolder(entry: string): string | undefined {
  const path = namedPath(entry);
  try {
    const real = path === undefined ? undefined : realpathSync.native(path); // follows links before ".."
    return real !== undefined && lstatSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // it names a folder that does not exist
  }
}

/** Git reads no larger file. */
const MAX_FILE_BYTES = 1_048_576;

/** `.git` itself, or what it names if it is a file. As in git, the whole file is the name. */
function namedPath(entry: string): string | undefined {
  try {
    const stats = statSync(entry);
    if (!stats.isFile()) return entry;
    if (stats.size > MAX_FILE_BYTES) return undefined;
    const name = /^gitdir: ([\s\S]*[^\r\n])[\r\n]*$/.exec(readFileSync(entry, "utf8"))?.[1];
    return name === undefined || isAbsolute(name) ? name : `${dirname(entry)}/${name}`; // not joined: links before ".."
  } catch {
    return undefined; // git cannot read it either
  }
}

/**
 * The git folders of a linked worktree. Its file `.git` could be written by an agent, so the folder that it names has
 * to name the file in turn: an agent cannot write there.
 */
export function linkedWorktree(entry: string, folder: string): Pick<GitFolders, "common" | "worktree"> | undefined {
  try {
    const worktrees = dirname(folder);
    const namesEntry = resolve(folder, readRegularFile(join(folder, "gitdir")).trim());
    if (basename(worktrees) !== "worktrees" || realpathSync(namesEntry) !== realpathSync(entry)) return undefined;
    const common = dirname(worktrees);
    return existsSync(join(common, "objects")) ? { common, worktree: folder } : undefined;
  } catch {
    return undefined; // no linked worktree: a submodule, or something else
  }
}
