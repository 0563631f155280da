import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("missing folders are created for their owner only, and existing ones are left alone", () => {
  const path = join(scratch(), "a", "b", "c");
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("a file at the path is an error", () => {
  const file = join(scratch(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, "below"))).toThrow(/ENOTDIR|EEXIST/);
});

test.skipIf(!existsSync("/proc/self"))("a file system without new folders is an error, not an endless loop", () => {
  expect(() => makeFolder("/proc/sheepdog/logs")).toThrow(/ENOENT/);
});
