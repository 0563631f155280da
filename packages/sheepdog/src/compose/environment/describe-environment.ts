import { arch, release } from "node:os";
import type { Io } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { type GitState, readGitState } from "./git-state.ts";
import { listTopLevelEntries } from "./top-level-entries.ts";

/**
 * Tells the model where it is: folder, platform, shell, date, git state and top-level entries, one line each. The text
 * has a date and no time, and is read once for a process: within a session it changes rarely, for the prompt cache.
 */
export async function describeEnvironment(
  { workspace, env }: { readonly workspace: string; readonly env: Io["env"] },
  now: number,
): Promise<string> {
  const [git, entries] = await Promise.all([readGitState(workspace, env), listTopLevelEntries(workspace)]);
  return [
    `Working folder: ${plainText(workspace)}`,
    `Platform: ${process.platform} ${release()} (${arch()})`,
    "Shell: bash",
    `Date: ${new Date(now).toLocaleDateString("sv-SE")}`,
    ...(git === undefined ? [] : [`Git: ${gitText(git)}`]),
    ...(entries === undefined ? [] : [`Top-level entries: ${entries}`]),
  ].join("\n");
}

function gitText({ branch, changedFiles }: GitState): string {
  const branchText = branch === undefined ? "no branch" : `branch ${plainText(branch)}`;
  if (changedFiles === undefined) return branchText;
  return `${branchText}, ${changedFiles === 0 ? "clean" : counted(changedFiles, "changed file")} at the start`;
}
