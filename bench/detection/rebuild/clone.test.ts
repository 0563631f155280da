import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openClone } from "./clone.ts";
import { findClone } from "./find-clone.ts";
import { makeBareClone, makeRepository } from "./temporary-repository.ts";

const folder = mkdtempSync(join(tmpdir(), "rebuild-clones-"));
afterAll(() => rmSync(folder, { recursive: true }));

const files = {
  "runs/a.json": '{"a": 1}',
  "runs/größe.txt": "ü\n".repeat(100_000),
  "runs/broken.json": "{",
  other: "",
};
const commit = makeRepository(join(folder, "worktrees", "runs-of-agents"), files);
makeBareClone(join(folder, "worktrees", "runs-of-agents"), join(folder, "bare", "someone+runs-of-agents"));
mkdirSync(join(folder, "empty", "runs-of-agents"), { recursive: true });

const cloneIn = (kind: string) => findClone(join(folder, kind), "someone/runs-of-agents");

test("a clone is found by name or by owner and name, with a work tree or bare; an empty folder is none", () => {
  expect(cloneIn("worktrees")).toBe(join(folder, "worktrees", "runs-of-agents", ".git"));
  expect(cloneIn("bare")).toBe(join(folder, "bare", "someone+runs-of-agents"));
  expect(cloneIn("empty")).toBeUndefined();
  expect(cloneIn("absent")).toBeUndefined();
});

test.each(["worktrees", "bare"])("the files of a commit are listed and read (%s)", async (kind) => {
  const clone = openClone(cloneIn(kind) ?? "", commit);
  try {
    const listed = clone.files("runs");
    expect(listed.map(({ path }) => path)).toEqual(["runs/a.json", "runs/broken.json", "runs/größe.txt"]);
    const [json, broken, text] = listed.map(({ blob }) => blob);
    expect(await clone.text(text)).toBe(files["runs/größe.txt"]);
    expect(await clone.json(json)).toEqual({ a: 1 });
    await expect(clone.json(broken)).rejects.toThrow("Expected JSON in the blob ");
    expect(await clone.json("0123456789012345678901234567890123456789")).toBeUndefined();
    expect(await clone.text(undefined)).toBeUndefined();
    expect(await clone.object(json)).toEqual({ a: 1 });
    expect(await clone.object("0123456789012345678901234567890123456789")).toBeUndefined();
    expect(await clone.text(json)).toBe('{"a": 1}');
  } finally {
    clone.close();
  }
});

test("HEAD is read when the clone does not have the wanted commit", () => {
  const clone = openClone(cloneIn("bare") ?? "", "0123456789012345678901234567890123456789");
  expect(clone.commit).toBe(commit);
  clone.close();
});

test("a folder that git cannot read is an error with git's reason", () => {
  expect(() => openClone(join(folder, "empty", "runs-of-agents"), commit)).toThrow("not a git repository");
});
