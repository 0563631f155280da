import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../../test/scratch-folder.ts";
import { callKey } from "../../../control/index.ts";
import { visibleLines } from "../../../render/terminal/visible-lines.ts";
import { approvalCard, type CallToApprove } from "./approval-card.ts";

const file = scratchFolder();
const call = (tool: string, input: Record<string, unknown>): CallToApprove => ({ type: "call", id: "c1", tool, input });
const cardTexts = async (toApprove: CallToApprove, workspace = "/nowhere") => {
  const { title, lines } = await approvalCard(toApprove, "because", workspace);
  return [title, ...lines.map(({ sign, text }) => `${sign}${text}`)];
};

describe("an approval shows", () => {
  test("the whole command, with hidden characters made visible", async () => {
    expect(await cardTexts(call("bash", { command: "ls\nrm -rf \u001b[8mbuild\u202e", timeoutMs: 5 }))).toEqual([
      "bash",
      " ls",
      " rm -rf \\u{1b}[8mbuild\\u{202e}",
      "…timeoutMs: 5",
    ]);
  });

  test("an edit as removed and added lines", async () => {
    expect(
      await cardTexts(call("edit", { path: "a.ts", old: "one\ntwo\nthree", new: "one\n2\nthree", replaceAll: true })),
    ).toEqual([
      "edit a.ts",
      "…the file does not exist",
      "…@@ -1,3 +1,3 @@",
      " one",
      "-two",
      "+2",
      " three",
      "…replaceAll: true",
    ]);
  });

  test("an edit of a file with its line numbers and the lines around it", async () => {
    const workspace = await file("", undefined);
    await file("b.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    expect(await cardTexts(call("edit", { path: "b.txt", old: "5", new: "five" }), workspace)).toEqual([
      "edit b.txt",
      "…@@ -2,7 +2,7 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      " 8",
    ]);
    expect((await cardTexts(call("edit", { path: "b.txt", old: "ten", new: "10" }), workspace))[1]).toBe(
      "…the old text is not in the file",
    );
  });

  test("that a file is large or binary", async () => {
    const workspace = await file("", undefined);
    await file("c.bin", "a\0b");
    await file("d.txt", "x\n".repeat(600_000));
    expect([
      (await cardTexts(call("write", { path: "c.bin", content: "x" }), workspace))[1],
      (await cardTexts(call("edit", { path: "d.txt", old: "x", new: "y" }), workspace))[1],
    ]).toEqual([
      "…the current content is not shown: it is a binary file",
      "…the current content is not shown: the file is large",
    ]);
  });

  test("a write as a change to an existing file, or as a whole new file", async () => {
    const workspace = await file("", undefined);
    await file("a.txt", "1\n2\n3\n4\n5\n6\n7\n8");
    expect(await cardTexts(call("write", { path: "a.txt", content: "1\n2\n3\n4\nfive\n6\n7\n8" }), workspace)).toEqual([
      "write a.txt (the file exists)",
      "…@@ -2,7 +2,7 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      " 8",
    ]);
    expect(await cardTexts(call("write", { path: "new.txt", content: "x" }), workspace)).toEqual([
      "write new.txt (a new file)",
      "+x",
    ]);
    expect((await cardTexts(call("write", { path: ".", content: "x" }), workspace))[1]).toBe(
      "…the current content cannot be shown: it is not a regular file",
    );
  });

  test("hidden characters in a path, and changes that are invisible", async () => {
    expect(await cardTexts(call("edit", { path: "a\u200b.ts\nb", old: "\tx\r\ny", new: "  x\ny" }))).toEqual([
      "edit a\\u{200b}.ts\\nb",
      "…the file does not exist",
      "…@@ -1,2 +1,2 @@",
      "-  x\\u{d}",
      "+  x",
      " y",
    ]);
    expect(await cardTexts(call("bash", { command: "rm\u00a0-rf \u3164" }))).toEqual([
      "bash",
      " rm\\u{a0}-rf \\u{3164}",
    ]);
  });

  test("all arguments of any other tool", async () => {
    expect(await cardTexts(call("send\u001b]0;x\u0007", { to: "a" }))).toEqual([
      "send\\u{1b}]0;x\\u{7}",
      " {",
      '   "to": "a"',
      " }",
    ]);
  });

  test("the new lines of a large file that is changed as a whole", async () => {
    const workspace = await file("", undefined);
    await file("e.txt", "old\n".repeat(9_000));
    expect(await cardTexts(call("write", { path: "e.txt", content: "new\nlines\n" }), workspace)).toEqual([
      "write e.txt (the file exists)",
      "…not shown: 9,000 removed lines",
      "+new",
      "+lines",
    ]);
  });

  test("at most 2,000 lines, and the number of lines left out", async () => {
    const lines = await cardTexts(call("bash", { command: `${"x\n".repeat(3_000)}rm -rf ~` }));
    expect([lines.length, lines[1_001], lines.at(-1)]).toEqual([
      2_002,
      "…1001 lines in the middle are not shown",
      " rm -rf ~",
    ]);
  });
});

test("the key of a call ignores the order of its arguments, but no argument", () => {
  expect(callKey({ tool: "t", input: { a: 1, b: { d: 1, c: 2 } } })).toBe(
    callKey({ tool: "t", input: { b: { c: 2, d: 1 }, a: 1 } }),
  );
  expect(callKey({ tool: "t", input: { a: 1 } })).not.toBe(callKey({ tool: "t", input: { a: 1, b: 2 } }));
});

test("visible lines show every character", () => {
  expect(visibleLines("a\rb\u200bc\n\td")).toEqual(["a\\u{d}b\\u{200b}c", "  d"]);
});
