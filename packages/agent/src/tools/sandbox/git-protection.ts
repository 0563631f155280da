import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { searchPath } from "../processes/search-path.ts";
import { disarmRepository } from "./disarm-repository.ts";
import { findGitFolders, hasEntry, hasUnreadableName, isBareRepository, usedGitFolder } from "./git-folders.ts";
import { openFolder, removeFile } from "./remove-file.ts";
import type { GitProtection } from "./sandbox.ts";

/**
 * Protects what mounts cannot: a file `commondir` that names another folder with a configuration and hooks, and a
 * repository that a command makes or puts in the place of the first one. Repositories in folders of the workspace are
 * not looked at.
 */
export function protectGit(workspace: string, home: string): GitProtection {
  const notes = removeForgedCommonFolder(workspace, home);
  const previous = usedGitFolder(workspace)?.identity;
  const ownNames = misleadingNames(workspace);
  return {
    notes,
    finish() {
      const current = usedGitFolder(workspace);
      const misleading = misleadingNames(workspace).filter((name) => !ownNames.includes(name));
      const isNew = current !== undefined && current.identity !== previous && isBelow(workspace, current.path);
      const path = searchPath(process.env, workspace, true).join(":");
      const isDisarmed = isNew && disarmRepository(current.path, path);
      openGitFolders(workspace, home);
      return [
        ...removeForgedCommonFolder(workspace, home),
        ...(isDisarmed ? ["Hooks and settings of the new git repository that can start programs were removed."] : []),
        ...removeNames(workspace, misleading),
      ];
    },
  };
}

function isBelow(workspace: string, path: string): boolean {
  return path !== workspace && isInside(workspace, path);
}

/** A git folder that nobody can list has no parts that the next command could find read-only. */
function openGitFolders(workspace: string, home: string): void {
  const git = findGitFolders(workspace, home);
  if (git === undefined) return;
  openFolder(git.common);
  if (git.worktree !== undefined) openFolder(git.worktree);
}

/** Files at the top of the workspace that let git use a repository that is not protected. */
function misleadingNames(workspace: string): readonly string[] {
  return [
    ...(hasUnreadableName(join(workspace, ".git")) ? [".git"] : []),
    ...(isBareRepository(workspace) ? ["HEAD", "commondir"].filter((name) => hasEntry(workspace, name)) : []),
  ];
}

function removeNames(workspace: string, names: readonly string[]): readonly string[] {
  const removed = names.filter((name) => removeFile(join(workspace, name)));
  return removed.map((name) => `The file ${name} was removed: git would use a repository that is not protected.`);
}

/** Git writes the file `commondir` in linked worktrees only. */
function removeForgedCommonFolder(workspace: string, home: string): readonly string[] {
  const git = findGitFolders(workspace, home);
  if (git === undefined || git.worktree !== undefined) return [];
  const forged = join(git.common, "commondir");
  if (!existsSync(forged) || !removeFile(forged)) return [];
  return ["The file .git/commondir was removed: it replaces the configuration and the hooks of git."];
}
