import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { searchPath } from "../processes/search-path.ts";
import { disarmRepository } from "./disarm-repository.ts";
import { findGitFolders, usedGitFolder } from "./git-folders.ts";
import type { GitProtection } from "./sandbox.ts";

/**
 * Protects what mounts cannot: a file `commondir` that names another folder with a configuration and hooks, and a git
 * folder that a command makes or puts in the place of the first one. Repositories in folders of the workspace are not
 * looked at.
 */
export function protectGit(workspace: string, home: string): GitProtection {
  const notes = removeForgedCommonFolder(workspace, home);
  const previous = usedGitFolder(workspace)?.identity;
  return {
    notes,
    finish() {
      const current = usedGitFolder(workspace);
      const isNew = current !== undefined && current.identity !== previous && isInside(workspace, current.path);
      const path = searchPath(process.env, workspace, true).join(":");
      const isDisarmed = isNew && disarmRepository(current.path, path);
      return [
        ...removeForgedCommonFolder(workspace, home),
        ...(isDisarmed ? ["Hooks and settings of the new git repository that can start programs were removed."] : []),
      ];
    },
  };
}

/** Git writes the file `commondir` in linked worktrees only. */
function removeForgedCommonFolder(workspace: string, home: string): readonly string[] {
  const git = findGitFolders(workspace, home);
  if (git === undefined || git.worktree !== undefined) return [];
  const forged = join(git.common, "commondir");
  if (!existsSync(forged)) return [];
  rmSync(forged, { recursive: true });
  return ["The file .git/commondir was removed: it replaces the configuration and the hooks of git."];
}
