import { chmod, link, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createReadRegistry } from "./files/read-registry.ts";
import { replaceFile } from "./files/replace-file.ts";
import { readTool } from "./read-tool.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";
import { writeTool } from "./write-tool.ts";

let bench: ToolWorkspace;
let write: Tool;
let read: Tool;
let at: (name: string) => string;
beforeEach(async () => {
  bench = await createToolWorkspace();
  const options = { workspace: bench.workspace, readRegistry: createReadRegistry() };
  write = writeTool(options);
  read = readTool(options);
  at = (name) => join(bench.workspace, name);
});
afterEach(() => bench.remove());

test("a new file is written with its folders", async () => {
  expect(await bench.call(write, { path: "a/b/c.txt", content: "hé\n" })).toEqual({
    status: "ok",
    content: "Wrote the new file a/b/c.txt (4 bytes).",
  });
  expect(await readFile(at("a/b/c.txt"), "utf8")).toBe("hé\n");
  expect(await readdir(at("a/b"))).toEqual(["c.txt"]);
});

test("a file is replaced atomically and keeps its mode", async () => {
  await writeFile(at("run.sh"), "old");
  await chmod(at("run.sh"), 0o751);
  const before = await stat(at("run.sh"));
  expect((await bench.call(write, { path: "run.sh", content: "new" })).content).toBe("Replaced run.sh (3 bytes).");
  const after = await stat(at("run.sh"));
  expect(after.mode & 0o7777).toBe(0o751);
  expect(after.ino).not.toBe(before.ino);
});

test("the details of a replaced file say which lines changed", async () => {
  await writeFile(at("a.txt"), "one\ntwo\n");
  expect((await bench.call(write, { path: "a.txt", content: "one\n2\n" })).details).toEqual({
    change: { path: "a.txt", line: 1, before: "one\ntwo\n", after: "one\n2\n" },
  });
});

test("a hard link to a file outside leaves that file as it is", async () => {
  await writeFile(join(bench.outside, "theirs"), "theirs");
  await link(join(bench.outside, "theirs"), at("ours"));
  await bench.call(write, { path: "ours", content: "ours" });
  expect(await readFile(join(bench.outside, "theirs"), "utf8")).toBe("theirs");
});

test("a link inside stays a link, and its target is written", async () => {
  await writeFile(at("target"), "old");
  await symlink("target", at("link"));
  expect((await bench.call(write, { path: "link", content: "new" })).status).toBe("ok");
  expect((await lstat(at("link"))).isSymbolicLink()).toBe(true);
  expect(await readFile(at("target"), "utf8")).toBe("new");
});

test("nothing is written outside, not even through a dangling link", async () => {
  await symlink(join(bench.outside, "planted"), at("dangling"));
  await symlink(bench.outside, at("up"));
  for (const path of ["dangling", "up/planted", "../planted", join(bench.outside, "planted")]) {
    expect((await bench.call(write, { path, content: "x" })).content, path).toContain("outside the workspace");
  }
  expect(await readdir(bench.outside)).toEqual(["work"]);
});

test("a link planted after the path was checked is not followed", async () => {
  const signal = new AbortController().signal;
  await mkdir(join(bench.outside, "outside"));
  await symlink(join(bench.outside, "outside"), at("folder")); // the check saw a real folder here
  expect(
    await replaceFile({
      root: bench.workspace,
      path: at("folder/x"),
      data: Buffer.from("x"),
      expectedVersion: undefined,
      signal,
    }),
  ).toMatchObject({ ok: false });
  await symlink(join(bench.outside, "outside/y"), at("leaf")); // the check saw a file here
  expect(
    await replaceFile({
      root: bench.workspace,
      path: at("leaf"),
      data: Buffer.from("x"),
      expectedVersion: undefined,
      signal,
    }),
  ).toEqual({
    ok: false,
    problem: "it is not a regular file",
  });
  expect(await readdir(join(bench.outside, "outside"))).toEqual([]);
});

test("changes that another program made since the read are not overwritten", async () => {
  await writeFile(at("a.txt"), "one");
  await bench.call(read, { path: "a.txt" });
  await writeFile(at("a.txt"), "two");
  await utimes(at("a.txt"), new Date(1), new Date(1));
  expect(await bench.call(write, { path: "a.txt", content: "mine" })).toEqual({
    status: "error",
    content: "a.txt was not written: it has changed since you read it. Read it again, then make the change.",
  });
  await bench.call(read, { path: "a.txt" });
  expect((await bench.call(write, { path: "a.txt", content: "mine" })).status).toBe("ok");
  expect((await bench.call(write, { path: "a.txt", content: "again" })).status).toBe("ok");
});

test("folders and aborted writes are errors that leave nothing behind", async () => {
  await mkdir(at("dir"));
  expect((await bench.call(write, { path: "dir", content: "" })).content).toBe("dir was not written: it is a folder.");
  expect(await bench.call(write, { path: "x", content: "x" }, AbortSignal.abort())).toEqual({
    status: "interrupted",
    content: "x was not written: it was interrupted, and the file is unchanged.",
  });
  expect(await readdir(bench.workspace)).toEqual(["dir"]);
});

test("hostile names are treated as names only", async () => {
  const names = ["$(touch owned)", "-rf", ";id", "`id`", "a\nb", "\u001b[2J", "x".repeat(255)];
  for (const path of names) expect((await bench.call(write, { path, content: "1" })).status, path).toBe("ok");
  expect((await readdir(bench.workspace)).sort()).toEqual([...names].sort());
});
