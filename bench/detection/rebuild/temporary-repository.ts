import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes a git repository with one commit of these files. For tests. Returns the id of the commit. */
export function makeRepository(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  runGit(folder, "init", "--quiet");
  runGit(folder, "add", "--all");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  runGit(folder, ...author, "commit", "--quiet", "--message", "files");
  return runGit(folder, "rev-parse", "HEAD").trim();
}

/** Makes a bare clone of a repository on this machine. */
export function makeBareClone(from: string, to: string): void {
  runGit(from, "clone", "--quiet", "--bare", from, to);
}

function runGit(folder: string, ...args: readonly string[]): string {
  // Inside of a git hook these variables name the repository of the hook.
  const env = { ...process.env, GIT_DIR: undefined, GIT_INDEX_FILE: undefined, GIT_WORK_TREE: undefined };
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", env });
}
