import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ArmedParts, armedParts, removeSteps } from "./armed-parts.ts";
import { type IsHarmless, isHarmlessConfig, toConfigText } from "./git-config-text.ts";
import { hasEntry } from "./git-folder.ts";
import { openFolder, removeFile } from "./remove-file.ts";

/** The settings that `git init`, `git clone` and people write into a new repository, and that name no program. */
const harmlessKey = new RegExp(
  [
    "core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode)",
    "core\\.(?:autocrlf|eol|quotepath)",
    "extensions\\.(?:objectformat|refstorage)",
    "user\\.(?:name|email)",
    "remote\\..*\\.fetch",
    "branch\\..*\\.(?:merge|rebase)",
    "(?:pull\\.rebase|merge\\.conflictstyle|init\\.defaultbranch)",
  ]
    .map((pattern) => `^${pattern}$`)
    .join("|"),
);
/** Not a path: a push to another folder runs the hooks of that folder. */
const addressOfServer = /^(?:https|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/;

/**
 * Removes the hooks of a git folder, and settings that could name a program or another folder, unless they are known
 * from before: git outside the sandbox would run what a command names there. Returns whether it removed any.
 */
export function disarmRepository(gitFolder: string, path: string, known?: ArmedParts): boolean {
  openFolder(gitFolder);
  if (isFolder(join(gitFolder, "hooks"))) openFolder(join(gitFolder, "hooks"));
  const forged = [...armedParts(gitFolder).files].filter(([name, state]) => known?.files.get(name) !== state);
  const removed = forged.filter(([name]) => removeFile(join(gitFolder, name)));
  const hasSteps = removeSteps(gitFolder, known?.steps ?? []);
  const config = join(gitFolder, "config");
  if (!hasEntry(gitFolder, "config") || isFolder(config)) return removed.length > 0 || hasSteps; // git reads no folder
  const mayStay = settingsFilter(known?.settings, path);
  const listed = listSettings(config, path);
  const isKept = hasOneName(config) && listed !== undefined && isHarmlessConfig(listed, mayStay);
  if (isKept) return removed.length > 0 || hasSteps;
  removeFile(config);
  writeFileSync(config, toConfigText(listed ?? "", mayStay));
  return true;
}

/** True if no setting of a git folder could name a program or another folder. */
export function hasHarmlessSettings(gitFolder: string, path: string): boolean {
  const config = join(gitFolder, "config");
  const listed = existsSync(config) ? listSettings(config, path) : "";
  return listed !== undefined && isHarmlessConfig(listed, isHarmless);
}

function settingsFilter(known: string | undefined, path: string): IsHarmless {
  const listed = known === undefined ? "" : (listSettings("-", path, Buffer.from(known, "latin1")) ?? "");
  const entries = new Set(listed.split("\0").map((entry) => (entry.includes("\n") ? entry : `${entry}\n`)));
  return (key, value) => isHarmless(key, value) || entries.has(`${key}\n${value}`);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** False for a link and for a file with a second name: a later command could change it under its other name. */
function hasOneName(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.nlink === 1;
}

function isHarmless(key: string, value: string): boolean {
  return harmlessKey.test(key) || (/^remote\..*\.url$/.test(key) && addressOfServer.test(value));
}

/** Reads a file, or a text, as git does, without includes. Undefined if git cannot read it. */
function listSettings(config: string, path: string, input?: Buffer): string | undefined {
  try {
    if (input === undefined && !statSync(config).isFile()) return undefined; // such as a pipe, which has no end
    return execFileSync("git", ["config", "--file", config, "--no-includes", "--list", "-z"], {
      cwd: "/",
      env: { PATH: path },
      encoding: "utf8",
      ...(input === undefined ? {} : { input }),
      stdio: ["pipe", "pipe", "ignore"],
      timeout: 5_000,
    });
  } catch {
    return undefined;
  }
}
