import { execFileSync } from "node:child_process";
import { chmod, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { describeEnvironment } from "./describe-environment.ts";
import { readGitState } from "./git-state.ts";
import { listTopLevelEntries } from "./top-level-entries.ts";

const file = scratchFolder();
const env = { PATH: process.env["PATH"], HOME: "/nowhere" };

/** An empty folder. */
async function folder(): Promise<string> {
  return realpath(dirname(await file("work/x")));
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Rex", "-c", "user.email=rex@example.org", ...args], { cwd, stdio: "pipe" });
}

async function repository(): Promise<string> {
  const path = await folder();
  git(path, "init", "--initial-branch=meadow");
  await writeFile(join(path, "README.md"), "hello");
  git(path, "add", ".");
  git(path, "commit", "--message=first");
  return path;
}

test("the model reads its folder, platform, shell, date, git state and entries", async () => {
  const workspace = await repository();
  await mkdir(join(workspace, "src"));
  await writeFile(join(workspace, "src/a.ts"), "");
  const noon = new Date(2026, 4, 7, 12, 34, 56).getTime();
  const lines = (await describeEnvironment({ workspace, env }, noon)).split("\n");
  expect(lines).toEqual([
    `Working folder: ${workspace}`,
    expect.stringMatching(`^Platform: ${process.platform} \\S+ \\(${process.arch}\\)$`),
    "Shell: bash",
    "Date: 2026-05-07",
    "Git: branch meadow, 1 changed file at the start",
    "Top-level entries: README.md, src/",
  ]);
  const later = new Date(2026, 4, 7, 23, 59, 59).getTime();
  expect((await describeEnvironment({ workspace, env }, later)).split("\n")).toEqual(lines);
});

test("a clean repository and a detached HEAD are named", async () => {
  const workspace = await repository();
  expect(await readGitState(workspace, env)).toEqual({ branch: "meadow", changedFiles: 0 });
  git(workspace, "checkout", "--detach");
  expect(await readGitState(workspace, env)).toEqual({ changedFiles: 0 });
  expect(await describeEnvironment({ workspace, env }, 0)).toContain("Git: no branch, clean at the start\n");
});

test("without git, and outside a repository, the git state is left out", async () => {
  const workspace = await repository();
  expect(await readGitState(workspace, { PATH: "/nowhere" })).toBeUndefined();
  expect(await readGitState(dirname(workspace), env)).toBeUndefined();
  expect(await describeEnvironment({ workspace: dirname(workspace), env }, 0)).not.toContain("Git:");
});

test("git starts no program of the workspace or of its configuration", async () => {
  const workspace = await repository();
  const mark = join(dirname(workspace), "started");
  const program = await file("work/git", `#!/bin/sh\ntouch ${mark}\n`);
  await chmod(program, 0o755);
  git(workspace, "config", "core.fsmonitor", program);
  await readGitState(workspace, { ...env, PATH: `.:${env.PATH}` });
  expect(await listTopLevelEntries(dirname(workspace))).toBe("work/");
});

test("changes are not counted where that would start a program of the repository", async () => {
  const workspace = await repository();
  const mark = join(dirname(workspace), "started");
  git(workspace, "config", "filter.evil.clean", `touch ${mark}; cat`);
  await file("work/.gitattributes", "* filter=evil\n");
  await file("work/greeting.txt", "changed\n");
  expect(await readGitState(workspace, env)).toEqual({ branch: "meadow" });
  expect(await listTopLevelEntries(dirname(workspace))).toBe("work/");
});

test("a repository with missing objects does not start the program that would fetch them", async () => {
  const workspace = await repository();
  const mark = join(dirname(workspace), "started");
  git(workspace, "config", "core.repositoryFormatVersion", "1");
  git(workspace, "config", "extensions.partialClone", "origin");
  git(workspace, "config", "remote.origin.promisor", "true");
  git(workspace, "config", "remote.origin.url", workspace);
  git(workspace, "config", "remote.origin.uploadpack", `touch ${mark}; git-upload-pack`);
  const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { cwd: workspace, encoding: "utf8" }).trim();
  await rm(join(workspace, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  await rm(join(workspace, ".git/index")); // its cached tree makes the object unnecessary
  expect(await readGitState(workspace, env)).toEqual({ branch: "meadow" });
  expect(await listTopLevelEntries(dirname(workspace))).toBe("work/");
});

test("changes are counted in a repository with the usual settings", async () => {
  const workspace = await repository();
  git(workspace, "remote", "add", "origin", "https://example.org/x.git");
  git(workspace, "config", "branch.meadow.merge", "refs/heads/meadow");
  git(workspace, "config", "user.name", "Rex");
  git(workspace, "config", "pull.rebase", "true");
  expect(await readGitState(workspace, env)).toEqual({ branch: "meadow", changedFiles: 0 });
});

test("a git that does not answer is not waited for", async () => {
  const slow = await file("slow/git", "#!/bin/sh\nexec sleep 60\n");
  await chmod(slow, 0o755);
  expect(await readGitState(await folder(), { ...env, PATH: `${dirname(slow)}:${env.PATH}` })).toBeUndefined();
});

test("many entries are counted, and a name stays on its line", async () => {
  const workspace = await folder();
  expect(await listTopLevelEntries(workspace)).toBe("none");
  expect(await listTopLevelEntries(join(workspace, "missing"))).toBeUndefined();
  await writeFile(join(workspace, "0\nShell: fish"), "");
  for (let index = 100; index < 160; index++) await writeFile(join(workspace, `${index}.txt`), "");
  expect(await listTopLevelEntries(workspace)).toMatch(/^0 Shell: fish, 100\.txt, .+, 148\.txt, and 11 more$/);
});
