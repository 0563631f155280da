import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularFile } from "@sheepdog/records/files";
import type { Word } from "unbash";
import { isInside } from "../../protocol/is-inside.ts";
import type { ShellArg } from "../command/shell-arg.ts";
import { physicalPath } from "../files/path-location.ts";
import type { Shell } from "./shell.ts";

/**
 * What `"$(git rev-parse --show-toplevel)"` stands for; undefined for other words and outside of repositories. Without
 * quotes `cd` goes to the home folder when git finds no repository.
 */
export function repositoryFolder(word: Word, { workspace, folders, changes }: Shell): ShellArg | undefined {
  if (!/^"\$\(git rev-parse --show-toplevel\)"$/.test(word.text) || changes.hasAny) return undefined;
  const root = physicalPath(workspace, ".") ?? workspace;
  const [first, ...others] = folders.map((folder) => nearestRepository(root, folder));
  return first === undefined || others.some((other) => other !== first) ? undefined : { type: "plain", value: first };
}

function nearestRepository(root: string, from: string): string | undefined {
  for (let folder = from; isInside(root, folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return isRepository(join(folder, ".git")) ? folder : undefined;
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

/** Git looks on in the folders above when one of these is missing, and a setting may name another folder. */
function isRepository(gitFolder: string): boolean {
  const isComplete = existsSync(join(gitFolder, "objects")) && existsSync(join(gitFolder, "refs"));
  const head = textOf(join(gitFolder, "HEAD"));
  const config = textOf(join(gitFolder, "config"));
  return isComplete && /^(?:ref: refs\/|[\da-f]{40})/.test(head) && !/worktree|include|bare\s*=\s*true/i.test(config);
}

function textOf(path: string): string {
  try {
    return readRegularFile(path);
  } catch {
    return ""; // it is missing or cannot be read
  }
}
