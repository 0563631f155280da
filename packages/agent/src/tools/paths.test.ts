import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveInside, resolvePath, shownPath } from "./paths.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";

let bench: ToolWorkspace;
beforeEach(async () => {
  bench = await createToolWorkspace();
});
afterEach(() => bench.remove());

const inside = async (path: string) => {
  const resolved = await resolveInside(bench.workspace, path);
  return resolved.ok ? resolved.path.slice(bench.workspace.length) : resolved.problem;
};

test("paths inside are accepted, missing ones too", async () => {
  await mkdir(join(bench.workspace, "src"));
  expect(await inside("src/new/file.ts")).toBe("/src/new/file.ts");
  expect(await inside("src/../b//c/./d")).toBe("/b/c/d");
  expect(await inside(join(bench.workspace, "x"))).toBe("/x");
  expect(await inside("..a")).toBe("/..a");
});

test("paths that lead out are refused, whatever way they take", async () => {
  await mkdir(join(bench.outside, "work-evil"));
  await writeFile(join(bench.outside, "secret"), "s");
  await symlink(bench.outside, join(bench.workspace, "up"));
  await symlink(join(bench.outside, "secret"), join(bench.workspace, "leaf"));
  await symlink(join(bench.outside, "not-there-yet"), join(bench.workspace, "dangling"));
  await symlink("dangling", join(bench.workspace, "twice"));
  for (const path of [
    "..",
    "../work-evil/x",
    "/etc/passwd",
    "~",
    "~/x",
    "up/secret",
    "up/new",
    "leaf",
    "dangling",
    "dangling/x",
    "twice",
    "/proc/self/root/etc/passwd",
    "//etc/passwd",
  ]) {
    expect(await inside(path), path).toContain("is outside the workspace");
  }
});

test("a missing file in a linked folder resolves to the target of the link", async () => {
  await mkdir(join(bench.workspace, "real"));
  await symlink("real", join(bench.workspace, "link"));
  expect(await inside("link/a/b.txt")).toBe("/real/a/b.txt");
});

test("invalid paths are reported", async () => {
  await symlink("loop", join(bench.workspace, "loop"));
  await writeFile(join(bench.workspace, "file"), "");
  expect(await inside("a\0b")).toBe("The path a\\u{0}b contains a NUL character.");
  expect(await inside(" ")).toBe("The path is empty.");
  expect(await inside("loop")).toBe("loop: its links form a loop.");
  expect(await inside("file/x")).toBe("file/x: a part of the path is a file, not a folder.");
  expect(await inside("x".repeat(300))).toContain("the name is too long");
});

test("~ is the home folder, and a missing workspace is reported", async () => {
  const home = await resolvePath(bench.workspace, "~");
  expect(home.ok && home.path).toBe(await realpath(homedir()));
  expect(await resolvePath(join(bench.outside, "gone"), "a")).toEqual({
    ok: false,
    problem: "The workspace folder does not exist any more.",
  });
});

test("paths are shown relative inside and absolute outside, on one line", () => {
  expect(shownPath("/work", "/work/a\nb")).toBe("a\\nb");
  expect(shownPath("/work", "/work")).toBe(".");
  expect(shownPath("/work", "/work-evil/a")).toBe("/work-evil/a");
});
