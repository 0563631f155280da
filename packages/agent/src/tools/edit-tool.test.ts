import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { editTool } from "./edit-tool.ts";
import { createReadRegistry } from "./files/read-registry.ts";
import { replaceText } from "./files/replace-text.ts";
import { readTool } from "./read-tool.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";

let bench: ToolWorkspace;
let edit: Tool;
let read: Tool;
let at: (name: string) => string;
beforeEach(async () => {
  bench = await createToolWorkspace();
  const options = { workspace: bench.workspace, readRegistry: createReadRegistry() };
  edit = editTool(options);
  read = readTool(options);
  at = (name) => join(bench.workspace, name);
});
afterEach(() => bench.remove());

const change = (old: string, fresh: string, replaceAll?: boolean) => ({
  path: "a.txt",
  old,
  new: fresh,
  ...(replaceAll === undefined ? {} : { replaceAll }),
});

test("the one occurrence is changed; the mode and a missing last line end stay", async () => {
  await writeFile(at("a.txt"), "one\ntwo\nthree");
  await chmod(at("a.txt"), 0o640);
  expect(await bench.call(edit, change("two", "2"))).toEqual({
    status: "ok",
    content: "Changed a.txt at line 2.",
    details: { change: { path: "a.txt", line: 1, before: "one\ntwo\nthree", after: "one\n2\nthree" } },
  });
  expect(await readFile(at("a.txt"), "utf8")).toBe("one\n2\nthree");
  expect((await stat(at("a.txt"))).mode & 0o7777).toBe(0o640);
  expect(await readdir(bench.workspace)).toEqual(["a.txt"]);
});

test("no match and several matches are errors that change nothing", async () => {
  await writeFile(at("a.txt"), "  if (x) {\nx\nx\n");
  expect((await bench.call(edit, change("zebra", "y"))).content).toBe(
    "a.txt was not changed: old was not found in the file: read the file again and copy the text exactly.",
  );
  expect((await bench.call(edit, change("\tif (x) {", "y"))).content).toContain(
    "its first line is like line 1: white space",
  );
  expect((await bench.call(edit, change("x\n", "y\n"))).content).toContain("old occurs 2 times (in lines 2, 3)");
  expect((await bench.call(edit, change("", "y"))).content).toContain("old is empty");
  expect((await bench.call(edit, change("x", "x"))).content).toContain("the same");
  expect(await readFile(at("a.txt"), "utf8")).toBe("  if (x) {\nx\nx\n");
});

test("replaceAll changes every occurrence", async () => {
  await writeFile(at("a.txt"), "x x x");
  expect((await bench.call(edit, change("x", "xx", true))).content).toBe("Changed a.txt in 3 places.");
  expect(await readFile(at("a.txt"), "utf8")).toBe("xx xx xx");
});

test("CRLF line ends stay CRLF, whatever line ends the arguments have", async () => {
  await writeFile(at("a.txt"), "one\r\ntwo\r\nthree\r\n");
  await bench.call(edit, change("one\ntwo", "1\n2\nmore"));
  await bench.call(edit, change("three\r\n", "3\n"));
  expect(await readFile(at("a.txt"), "utf8")).toBe("1\r\n2\r\nmore\r\n3\r\n");
});

test("bytes that are not UTF-8 and a byte order mark stay", async () => {
  await writeFile(at("a.txt"), Buffer.from("\xef\xbb\xbfcaf\xe9 = old\n", "latin1"));
  await bench.call(edit, change("= old", "= new"));
  expect((await readFile(at("a.txt"))).toString("latin1")).toBe("\xef\xbb\xbfcaf\xe9 = new\n");
});

test("a replacement is taken literally", async () => {
  await writeFile(at("a.txt"), "price");
  await bench.call(edit, change("price", "$& $1 $$"));
  expect(await readFile(at("a.txt"), "utf8")).toBe("$& $1 $$");
});

test("a file that changed since it was read is not edited; the session's own edits do not count", async () => {
  await writeFile(at("a.txt"), "one two");
  await bench.call(read, { path: "a.txt" });
  expect((await bench.call(edit, change("one", "1"))).status).toBe("ok");
  expect((await bench.call(edit, change("two", "2"))).status).toBe("ok");
  await writeFile(at("a.txt"), "1 2 3");
  expect(await bench.call(edit, change("3", "4"))).toEqual({
    status: "error",
    content: "a.txt was not changed: it has changed since you read it. Read it again, then make the edit.",
  });
  expect(await readFile(at("a.txt"), "utf8")).toBe("1 2 3");
});

test("folders, binaries, huge files and paths outside are refused", async () => {
  await mkdir(at("dir"));
  await writeFile(at("bin"), Buffer.from("a\0b"));
  await writeFile(at("big"), "");
  await truncate(at("big"), 3 * 2 ** 30);
  await writeFile(join(bench.outside, "theirs"), "theirs");
  await symlink("../theirs", at("link"));
  const problemOf = async (path: string) => (await bench.call(edit, { path, old: "theirs", new: "b" })).content;
  expect(await problemOf("dir")).toContain("is a folder");
  expect(await problemOf("bin")).toContain("is a binary file");
  expect(await problemOf("big")).toContain("too big to edit");
  expect(await problemOf("link")).toContain("outside the workspace");
  expect(await problemOf("gone")).toContain("no such file");
  expect(await readFile(join(bench.outside, "theirs"), "utf8")).toBe("theirs");
});

test("a file replaced by a link to the outside is not edited", async () => {
  await writeFile(join(bench.outside, "theirs"), "theirs");
  await writeFile(at("a.txt"), "ours");
  await bench.call(read, { path: "a.txt" });
  await rm(at("a.txt"));
  await symlink("../theirs", at("a.txt"));
  expect((await bench.call(edit, change("theirs", "b"))).content).toContain("outside the workspace");
});

test("replaceAll gives the same result as split and join", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "é", "\n")), fc.constantFrom("a", "ab", "é\n"), (letters, old) => {
      const text = letters.join("");
      const replaced = replaceText(Buffer.from(text), { old, new: "<>", replaceAll: true });
      expect(replaced.ok ? replaced.data.toString() : text).toBe(text.split(old).join("<>"));
    }),
  );
});
