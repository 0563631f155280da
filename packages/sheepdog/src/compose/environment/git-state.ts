import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import type { Io } from "../../io.ts";

/** The git state of a folder when a run starts. A part that is unknown is left out. */
export interface GitState {
  /** The current branch; absent on a detached HEAD. */
  readonly branch?: string;
  /** The number of changed and untracked files, as `git status` counts them. */
  readonly changedFiles?: number;
}

const TIMEOUT_MS = 1_000;
const MAX_OUTPUT_BYTES = 1_000_000;
/** The configuration of the repository starts no program. */
const noPrograms = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** Settings of a repository with programs that `git status` starts (filters), and with further files of settings. */
const programSettings = /^(?:filter|include|includeif)\.|^extensions\.worktreeconfig$/im;

/**
 * Reads branch and changes. Changes are left out if counting them could start a program that the repository names.
 * Returns undefined without git, outside a repository, and if git takes too long.
 */
export async function readGitState(folder: string, env: Io["env"]): Promise<GitState | undefined> {
  const [branch, settings] = await Promise.all([
    git(["branch", "--show-current"], folder, env),
    git(["config", "--local", "--list", "--name-only"], folder, env),
  ]);
  const isSafe = settings !== undefined && !programSettings.test(settings);
  const status = isSafe ? await git(["status", "--porcelain", "--ignore-submodules=all"], folder, env) : undefined;
  if (branch === undefined && status === undefined) return undefined;
  return {
    ...(branch ? { branch } : {}),
    ...(status === undefined ? {} : { changedFiles: status === "" ? 0 : status.split("\n").length }),
  };
}

/** The output of a git command; undefined if the command fails or takes too long. */
function git(args: readonly string[], folder: string, env: Io["env"]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      "git",
      [...noPrograms, ...args],
      {
        cwd: folder,
        env: gitEnvironment(env),
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT_BYTES,
        killSignal: "SIGKILL",
      },
      (error, stdout) => resolve(error === null ? stdout.trimEnd() : undefined),
    );
  });
}

/** No lock is taken, and a relative entry of PATH cannot start a program of the workspace. */
function gitEnvironment({ PATH, HOME }: Io["env"]): Record<string, string> {
  const folders = (PATH ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter).filter((path) => isAbsolute(path));
  return {
    PATH: folders.join(delimiter),
    ...(HOME === undefined ? {} : { HOME }),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
  };
}
