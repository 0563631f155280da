import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Word } from "unbash";
import { isInside } from "../../protocol/is-inside.ts";
import type { ShellArg } from "../command/shell-arg.ts";
import { physicalPath } from "../files/path-location.ts";
import type { Shell } from "./shell.ts";

/** What `$(git rev-parse --show-toplevel)` stands for; undefined for other words and outside of repositories. */
export function repositoryFolder(word: Word, { workspace, folders, changes }: Shell): ShellArg | undefined {
  if (!/^"?\$\(git rev-parse --show-toplevel\)"?$/.test(word.text) || changes.hasAny) return undefined;
  const root = physicalPath(workspace, ".") ?? workspace;
  const [first, ...others] = folders.map((folder) => nearestRepository(root, folder));
  return first === undefined || others.some((other) => other !== first) ? undefined : { type: "plain", value: first };
}

function nearestRepository(root: string, from: string): string | undefined {
  for (let folder = from; isInside(root, folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}
