import { execFile } from "node:child_process";
import { promisify } from "node:util";

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

/** The text of a ~/.gitconfig with the harmless settings of the user. Empty if git is missing or has none. */
export async function safeGitConfig(environment: Readonly<Record<string, string>>): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["config", "--global", "--includes", "--list", "-z"], {
      cwd: "/",
      env: environment,
      timeout: 5_000,
    });
    return toConfigText(stdout);
  } catch {
    return ""; // git is missing, or there is no configuration
  }
}

/** `listed` is the output of `git config --list -z`: key, line break, value, NUL. */
export function toConfigText(listed: string): string {
  return listed
    .split("\0")
    .flatMap((entry) => {
      const [, section, name, value] = /^([a-z]+)\.([a-z]+)\n(.*)$/s.exec(entry) ?? [];
      if (section === undefined || name === undefined || value === undefined) return [];
      return harmlessKeys.has(`${section}.${name}`) ? [`[${section}]\n\t${name} = "${escaped(value)}"\n`] : [];
    })
    .join("");
}

function escaped(value: string): string {
  return value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
}
