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

/**
 * The usual settings of a repository, none of which lets `git status` start a program or read another file of settings.
 * Others can: filters, included files, a remote that git asks for missing objects.
 */
const harmlessSetting = new RegExp(
  [
    "core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode)",
    "core\\.(?:autocrlf|safecrlf|eol|quotepath|longpaths|abbrev|commentchar|whitespace)",
    "extensions\\.(?:objectformat|refstorage)",
    "user\\.(?:name|email|signingkey)",
    "remote\\..*\\.(?:url|pushurl|fetch|tagopt|prune|gh-resolved)",
    "branch\\..*",
    "submodule\\..*\\.(?:url|active|branch)",
    "(?:pull|push|fetch|rebase|rerere|gc|color|advice|init)\\..*",
    "(?:commit|tag)\\.gpgsign",
    "merge\\.conflictstyle",
    "lfs\\.repositoryformatversion",
  ]
    .map((pattern) => `^${pattern}$`)
    .join("|"),
  "i",
);

/**
 * Reads branch and changes. Changes are left out if counting them could start a program that the repository names.
 * Returns undefined without git, outside a repository, and if git takes too long.
 */
export async function readGitState(folder: string, env: Io["env"]): Promise<GitState | undefined> {
  const [branch, settings] = await Promise.all([
    git(["branch", "--show-current"], folder, env),
    git(["config", "--local", "--list", "--name-only"], folder, env),
  ]);
  const isSafe = settings?.split("\n").every((name) => name === "" || harmlessSetting.test(name)) === true;
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

/**
 * No lock is taken, newer versions of git fetch no missing objects, and a relative entry of PATH cannot start a program
 * of the workspace.
 */
function gitEnvironment({ PATH, HOME }: Io["env"]): Record<string, string> {
  const folders = (PATH ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter).filter((path) => isAbsolute(path));
  return {
    PATH: folders.join(delimiter),
    ...(HOME === undefined ? {} : { HOME }),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
  };
}
