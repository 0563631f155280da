import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isHarmlessConfig, toConfigText } from "./git-config-text.ts";
import { openFolder, removeFile } from "./remove-file.ts";

/** The settings that `git init`, `git clone` and people write into a new repository, and that name no program. */
const harmlessKey = new RegExp(
  [
    "core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode)",
    "core\\.(?:autocrlf|eol|quotepath)",
    "extensions\\.(?:objectformat|refstorage)",
    "user\\.(?:name|email)",
    "remote\\..*\\.fetch",
    "branch\\..*\\.(?:remote|merge|rebase)",
    "(?:pull\\.rebase|merge\\.conflictstyle|init\\.defaultbranch)",
  ]
    .map((pattern) => `^${pattern}$`)
    .join("|"),
);
/** Not a path: a push to another folder runs the hooks of that folder. */
const addressOfServer = /^(?:https|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/;

/**
 * Removes the hooks of a git folder, and settings that could name a program or another folder. Meant for a folder that
 * a command in the sandbox made: git outside the sandbox would run what is named there. Returns whether it removed any.
 */
export function disarmRepository(gitFolder: string, path: string): boolean {
  openFolder(gitFolder);
  const forged = [...hooksIn(gitFolder), "config.worktree", "commondir"];
  const removed = forged.filter((name) => removeFile(join(gitFolder, name)));
  const config = join(gitFolder, "config");
  const listed = listSettings(config, path);
  const isKept = hasOneName(config) && listed !== undefined && isHarmlessConfig(listed, isHarmless);
  const isFolder = lstatSync(config, { throwIfNoEntry: false })?.isDirectory() === true; // git reads none
  if (isKept || isFolder) return removed.length > 0;
  removeFile(config);
  writeFileSync(config, toConfigText(listed ?? "", isHarmless));
  return true;
}

/** False for a link and for a file with a second name: a later command could change it under its other name. */
function hasOneName(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.nlink === 1;
}

function isHarmless(key: string, value: string): boolean {
  return harmlessKey.test(key) || (/^remote\..*\.url$/.test(key) && addressOfServer.test(value));
}

/** Reads a file as git does, without includes. Undefined if git cannot read it. */
function listSettings(config: string, path: string): string | undefined {
  try {
    return execFileSync("git", ["config", "--file", config, "--no-includes", "--list", "-z"], {
      cwd: "/",
      env: { PATH: path },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
    });
  } catch {
    return undefined;
  }
}

/** The hooks of a git folder without the samples of git. A link is listed itself: it may lead to any folder. */
function hooksIn(gitFolder: string): readonly string[] {
  const folder = join(gitFolder, "hooks");
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats === undefined ? [] : ["hooks"];
  openFolder(folder);
  const names = readdirSync(folder).filter((name) => !name.endsWith(".sample"));
  return names.map((name) => join("hooks", name));
}
