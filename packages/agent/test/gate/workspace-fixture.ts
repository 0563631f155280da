import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { canaryFiles, outsideLinks, programs, projectFiles } from "./workspace-files.ts";

/** A home folder with a git workspace in it, and with files around the workspace that no command may touch. */
export interface WorkspaceFixture {
  /** The folder that holds everything. */
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  remove(): void;
}

/** Builds the fixture in a new folder. */
export function createWorkspaceFixture(): WorkspaceFixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gate-fixture-")));
  const home = join(root, "home");
  const workspace = join(home, "work", "app");
  writeFiles(home, canaryFiles);
  for (const program of ["bin/canary", "work/sibling/run.sh"]) chmodSync(join(home, program), 0o755);
  writeFiles(workspace, projectFiles);
  addPrograms(workspace);
  execFileSync("tar", ["czf", "archive.tar.gz", "README.md", "docs"], { cwd: workspace });
  initRepository(workspace);
  linkSync(join(home, "work/outside/hard.txt"), join(workspace, "hard-out.txt"));
  return { root, home, workspace, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

function addPrograms(workspace: string): void {
  for (const path of programs) {
    writeFiles(workspace, { [path]: "#!/bin/sh\necho ran\n" });
    chmodSync(join(workspace, path), 0o755);
  }
}

/**
 * The repository has a second branch and a stash, each with a link that leads outside; the checked-out branch has links
 * of its own, which a clone would bring too.
 */
function initRepository(workspace: string): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
      cwd: workspace,
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });
  const link = (name: string, target: string) => symlinkSync(target, join(workspace, name));
  git("init", "--quiet", "--initial-branch=main", "--template=");
  writeFiles(workspace, { ".git/hooks/pre-commit.sample": "#!/bin/sh\n", ".git/info/exclude": "" });
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.org");
  for (const [name, target] of Object.entries(outsideLinks)) link(name, target);
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  git("switch", "--quiet", "--create", "links");
  link("fromgit", "../outside");
  git("add", "--all");
  git("commit", "--quiet", "--message", "a link");
  git("switch", "--quiet", "main");
  link("fromstash", "../outside");
  git("stash", "push", "--quiet", "--include-untracked");
  git("repack", "-a", "-d", "--quiet"); // fewer files to copy
  writeFiles(workspace, { "src/app.ts": `${projectFiles["src/app.ts"]}// changed\n` });
}
