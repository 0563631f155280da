import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { searchPath } from "../processes/search-path.ts";
import { removeSteps, stepsIn } from "./armed-parts.ts";
import { disarmRepository } from "./disarm-repository.ts";
import { hasEntry, isGitFolder } from "./git-folder.ts";
import { findGitFolders, type GitFolders, hasUnreadableName, usedGitFolder } from "./git-folders.ts";
import { type NestedRepositories, nestedRepositories } from "./nested-repositories.ts";
import { openFolder, removeFile } from "./remove-file.ts";
import type { GitProtection } from "./sandbox.ts";

/**
 * Protects what mounts cannot: a file `commondir` that names another folder with a configuration and hooks, programs in
 * a rebase, and repositories that a command makes, changes or puts in the place of others.
 */
export function protectGit(workspace: string, home: string, nested: NestedRepositories): GitProtection {
  const notes = removeForgedCommonFolder(workspace, home);
  const previous = usedGitFolder(workspace)?.identity;
  const ownNames = misleadingNames(workspace);
  const git = findGitFolders(workspace, home);
  const steps = rebaseFolder(git).flatMap(stepsIn);
  const repositories = nested.beforeCommand(git);
  return {
    notes,
    finish() {
      const current = usedGitFolder(workspace);
      const misleading = misleadingNames(workspace).filter((name) => !ownNames.includes(name));
      const made = current?.identity === previous ? undefined : current?.path;
      const isDisarmed = made !== undefined && isBelow(workspace, made) && disarmRepository(made, gitPath(workspace));
      openGitFolders(workspace, home);
      // a workspace below the top of its repository has no `.git`: one may name a folder in the git folder above
      const isHidden =
        made !== undefined && git !== undefined && !isBelow(workspace, made) && isInside(git.common, made);
      const forged = removeNames(workspace, isHidden ? [".git"] : misleading);
      const gitNow = findGitFolders(workspace, home);
      return [
        ...removeForgedCommonFolder(workspace, home),
        ...(isDisarmed ? ["Hooks and settings of the new git repository that can start programs were removed."] : []),
        ...forged,
        ...rebaseFolder(gitNow)
          .filter((folder) => removeSteps(folder, steps))
          .map(() => "Programs were removed from the rebase that has not ended."),
        ...repositories.afterCommand(gitNow),
      ];
    },
  };
}

/** Watches the repositories in the folders of a workspace. */
export function watchRepositories(workspace: string): NestedRepositories {
  return nestedRepositories(workspace, gitPath(workspace));
}

/** Git is not taken from the workspace. */
function gitPath(workspace: string): string {
  return searchPath(process.env, workspace, true).join(":");
}

function rebaseFolder(git: GitFolders | undefined): readonly string[] {
  return git === undefined ? [] : [git.worktree ?? git.common];
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
    ...(isGitFolder(workspace) ? ["HEAD", "commondir"].filter((name) => hasEntry(workspace, name)) : []),
  ];
}

function removeNames(workspace: string, names: readonly string[]): readonly string[] {
  const removed = names.filter((name) => removeFile(join(workspace, name)));
  return removed.map((name) => `The file ${name} was removed: git would use a repository that is not protected.`);
}

/** Git writes the file `commondir` in linked worktrees only. */
export function removeForgedCommonFolder(workspace: string, home: string): readonly string[] {
  const git = findGitFolders(workspace, home);
  if (git === undefined || git.worktree !== undefined) return [];
  const forged = join(git.common, "commondir");
  if (!existsSync(forged) || !removeFile(forged)) return [];
  return ["The file .git/commondir was removed: it replaces the configuration and the hooks of git."];
}
