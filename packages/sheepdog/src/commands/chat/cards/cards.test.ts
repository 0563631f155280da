import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../../test/scratch-folder.ts";
import { frankLines } from "../../../render/terminal/visible-lines.ts";
import { type AskedCall, approvalCard } from "./approval-card.ts";
import { sameCall } from "./same-call.ts";

const file = scratchFolder();
const call = (tool: string, input: Record<string, unknown>): AskedCall => ({ type: "call", id: "c1", tool, input });
const shown = async (asked: AskedCall, workspace = "/nowhere") => {
  const { title, lines } = await approvalCard(asked, "because", workspace);
  return [title, ...lines.map(({ sign, text }) => `${sign}${text}`)];
};

describe("an approval shows", () => {
  test("the whole command, and what would be hidden in it", async () => {
    expect(await shown(call("bash", { command: "ls\nrm -rf \u001b[8mbuild\u202e", timeoutMs: 5 }))).toEqual([
      "bash",
      " ls",
      " rm -rf \\u{1b}[8mbuild\\u{202e}",
      "…timeoutMs: 5",
    ]);
  });

  test("an edit as what it takes away and adds", async () => {
    expect(
      await shown(call("edit", { path: "a.ts", old: "one\ntwo\nthree", new: "one\n2\nthree", replaceAll: true })),
    ).toEqual(["edit a.ts", " one", "-two", "+2", " three", "…replaceAll: true"]);
  });

  test("a write as a change where the file is there, else all of it", async () => {
    const workspace = await file("", undefined);
    await file("a.txt", "1\n2\n3\n4\n5\n6\n7\n8");
    expect(await shown(call("write", { path: "a.txt", content: "1\n2\n3\n4\nfive\n6\n7\n8" }), workspace)).toEqual([
      "write a.txt (it is there already)",
      "…2 equal lines",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      "…1 equal line",
    ]);
    expect(await shown(call("write", { path: "new.txt", content: "x" }), workspace)).toEqual([
      "write new.txt (a new file)",
      "+x",
    ]);
    expect((await shown(call("write", { path: ".", content: "x" }), workspace))[1]).toBe(
      "…what is there now cannot be shown",
    );
  });

  test("a path with what is hidden in it, and changes that cannot be seen", async () => {
    expect(await shown(call("edit", { path: "a\u200b.ts\nb", old: "\tx\r\ny", new: "  x\ny" }))).toEqual([
      "edit a\\u{200b}.ts\\nb",
      "-  x\\u{d}",
      "+  x",
      " y",
    ]);
    expect(await shown(call("bash", { command: "rm\u00a0-rf \u3164" }))).toEqual(["bash", " rm\\u{a0}-rf \\u{3164}"]);
  });

  test("all arguments of any other tool", async () => {
    expect(await shown(call("send\u001b]0;x\u0007", { to: "a" }))).toEqual([
      "send\\u{1b}]0;x\\u{7}",
      " {",
      '   "to": "a"',
      " }",
    ]);
  });

  test("at most 2,000 lines, and how many are left out", async () => {
    const lines = await shown(call("bash", { command: `${"x\n".repeat(3_000)}rm -rf ~` }));
    expect([lines.length, lines[1_001], lines.at(-1)]).toEqual([
      2_002,
      "…1001 lines between are not shown",
      " rm -rf ~",
    ]);
  });
});

test("calls are the same whatever the order of their arguments, and never by their beginning", () => {
  expect(sameCall({ tool: "t", input: { a: 1, b: { d: 1, c: 2 } } })).toBe(
    sameCall({ tool: "t", input: { b: { c: 2, d: 1 }, a: 1 } }),
  );
  expect(sameCall({ tool: "t", input: { a: 1 } })).not.toBe(sameCall({ tool: "t", input: { a: 1, b: 2 } }));
});

test("frank lines leave nothing out", () => {
  expect(frankLines("a\rb\u200bc\n\td")).toEqual(["a\\u{d}b\\u{200b}c", "  d"]);
});
