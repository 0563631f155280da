import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toConfigText } from "./git-config-text.ts";

/** The settings of the user's git that a command may know: no passwords, no addresses with tokens, no programs. */
const harmlessKeys: ReadonlySet<string> = new Set([
  "user.name",
  "user.email",
  "init.defaultbranch",
  "core.autocrlf",
  "core.eol",
  "core.filemode",
  "core.quotepath",
  "pull.rebase",
  "merge.conflictstyle",
  "safe.directory",
]);

/** True for a setting that commands may know. */
export function isHarmlessSetting(key: string): boolean {
  return harmlessKeys.has(key);
}

/** The text of a ~/.gitconfig with the harmless settings of the user. Empty if git is missing or has none. */
export async function safeGitConfig(environment: Readonly<Record<string, string>>): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["config", "--global", "--includes", "--list", "-z"], {
      cwd: "/",
      env: environment,
      timeout: 5_000,
    });
    return toConfigText(stdout, isHarmlessSetting);
  } catch {
    return ""; // git is missing, or there is no configuration
  }
}
