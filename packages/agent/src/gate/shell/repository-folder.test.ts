import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";
import { classifyBash } from "./classify-bash.ts";

let files: TestWorkspace;
beforeEach(() => {
  files = createTestWorkspace();
  for (const name of ["objects/keep", "refs/keep"]) files.write(`.git/${name}`);
  files.write(".git/HEAD", "ref: refs/heads/main\n");
});
afterEach(() => files.remove());

const tierOf = (line: string): number => classifyBash(line, { workspace: files.workspace }).tier;
const goToTop = 'cd "$(git rev-parse --show-toplevel)" && cat .bashrc';

test("the folder of a repository is known", () => {
  expect(tierOf(goToTop)).toBe(0);
});

test("without quotes it could be the home folder", () => {
  expect(tierOf(goToTop.replaceAll('"', ""))).toBe(4);
});

test.each(["HEAD", "objects", "refs"])("without .git/%s git would look for another repository", (name) => {
  rmSync(join(files.workspace, ".git", name), { recursive: true });
  expect(tierOf(goToTop)).toBe(4);
});

test("a setting may name another folder", () => {
  files.write(".git/config", "[core]\n\tworktree = /\n");
  expect(tierOf(goToTop)).toBe(4);
});
