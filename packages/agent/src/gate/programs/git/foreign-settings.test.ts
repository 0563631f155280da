import { execFileSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { classifyBash } from "../../shell/classify-bash.ts";
import { createTestWorkspace, type TestWorkspace } from "../../testing/test-workspace.ts";

let files: TestWorkspace;
beforeEach(() => {
  files = createTestWorkspace();
  makeRepository(".git", "[core]\n\tfsmonitor = my-monitor\n");
});
afterEach(() => files.remove());

function makeRepository(folder: string, config: string): void {
  for (const name of ["objects/keep", "refs/keep"]) files.write(`${folder}/${name}`);
  files.write(`${folder}/HEAD`, "ref: refs/heads/main\n");
  files.write(`${folder}/config`, config);
}

const tierOf = (line: string): number => classifyBash(line, { workspace: files.workspace }).tier;
const usual = `[core]
	repositoryformatversion = 0
	bare = false
	hooksPath = .husky/_
[remote "origin"]
	url = https://example.org/x.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
`;

test("the settings of the workspace's own repository are the user's", () => {
  expect(tierOf("git status")).toBe(0);
  files.write("src/a.ts");
  expect(tierOf("cd src && git diff")).toBe(0);
});

test.each(["cd x && git status", "git -C x log -1", "cd x/objects && git status"])(
  "a folder whose HEAD is a link that leads nowhere is a repository: %s",
  (line) => {
    const owned = join(files.workspace, "owned");
    makeRepository(
      "x",
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "touch ${owned}; false"\n`,
    );
    rmSync(join(files.workspace, "x/HEAD"));
    symlinkSync("refs/heads/none", join(files.workspace, "x/HEAD"));
    expect(tierOf(line)).toBe(4);
    execFileSync("git", ["-C", join(files.workspace, "x"), "status"]);
    expect(existsSync(owned)).toBe(true); // git does start it
  },
);

test.each([
  ["the usual settings", usual, 0],
  ["no configuration", "", 0],
  ["the monitor of git itself", "[core]\n\tfsmonitor = true\n", 0],
  ["a monitor", "[core]\n\tfsmonitor = ./x\n", 4],
  ["a filter", '[filter "x"]\n\tclean = ./x\n', 4],
  ["an external diff", "[diff]\n\texternal = ./x\n", 4],
  ["a converter", '[diff "x"]\n\ttextconv = ./x\n', 4],
  ["a signature program", "[gpg]\n\tprogram = ./x\n", 4],
  ["another file of settings", "[include]\n\tpath = ../x\n", 4],
  ["another folder of files", "[core]\n\tworktree = /\n", 4],
  ["settings of a worktree", "[extensions]\n\tworktreeConfig = true\n", 4],
  ["a remote for missing objects", '[remote "origin"]\n\tpromisor = true\n', 4],
  ["a key in the line of its section", "[core] fsmonitor = ./x\n", 4],
  ["a value on two lines", "[user]\n\tname = a\\\n\n[core]\n\tfsmonitor = ./x\n", 4],
])("git in a nested repository with %s", (_, config, tier) => {
  makeRepository("nested/.git", config);
  files.write("nested/src/a.ts");
  expect([tierOf("cd nested && git status"), tierOf("git -C nested/src log")]).toEqual([tier, tier]);
});

test("a folder .git that is no repository is passed over", () => {
  files.write("a/.git/note");
  expect(tierOf("cd a && git status")).toBe(0);
  makeRepository("a", "");
  expect(tierOf("cd a && git status")).toBe(4);
});

test("a file .git leads to the settings", () => {
  makeRepository("store", "[core]\n\tfsmonitor = ./x\n");
  files.write("a/.git", "gitdir: ../store\n");
  expect(tierOf("cd a && git status")).toBe(4);
  makeRepository(".git/modules/b", "[core]\n\tworktree = ../../../b\n");
  files.write("b/.git", "gitdir: ../.git/modules/b\n");
  expect(tierOf("cd b && git status")).toBe(0);
});

test("the manual of a command can be a program of the settings", () => {
  expect([tierOf("git --help"), tierOf("git --help status")]).toEqual([0, 4]);
});
