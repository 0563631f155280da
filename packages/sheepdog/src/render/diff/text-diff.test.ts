import type { CallItem } from "@sheepdog/agent/timeline";
import { expect, test } from "vitest";
import { styleFor } from "../terminal/style.ts";
import { itemLines } from "../timeline/item-lines.ts";
import { withDiff } from "./call-diff.ts";
import { textDiff } from "./text-diff.ts";

const texts = async (before: string, after: string, line = 1) =>
  (await textDiff({ before, after, line })).map(({ sign, text }) => `${sign}${text}`);

test("a change is a unified diff with line numbers of the file", async () => {
  expect(await texts("a\nb\nc\n", "a\nB\nc\n", 40)).toEqual(["…@@ -40,3 +40,3 @@", " a", "-b", "+B", " c"]);
  expect(await texts("", "a\nb")).toEqual(["…@@ -0,0 +1,2 @@", "+a", "+b"]);
  expect(await texts("a\n", "a")).toContain("…no line end at the end of the file");
  expect(await texts("a", "a")).toEqual(["…no change"]);
});

test("hidden characters are visible, and a large change needs little time", async () => {
  expect(await texts("a\u202e\n", "a\n")).toContain("-a\\u{202e}");
  const lines = (name: string) => Array.from({ length: 10_000 }, (_, index) => `${name} ${index}\n`).join("");
  expect((await texts(lines("old"), lines("new"))).length).toBe(20_000);
});

const edit: CallItem = {
  type: "call",
  seq: 1,
  at: 1,
  callId: "c",
  turn: 0,
  tool: "edit",
  input: { path: "src/a.ts", old: "b", new: "B" },
  status: "ok",
  content: "Changed src/a.ts at line 2.",
  ms: 100,
};
const options = { style: styleFor({ write() {} }, {}), width: 40 };

test("a successful edit is shown as its change: as recorded, else from its arguments", async () => {
  const details = { change: { path: "src/a.ts", line: 1, before: "a\nb\n", after: "a\nB\n" } };
  expect(itemLines(await withDiff({ ...edit, details }), options)).toEqual([
    "  edit src/a.ts  +1 -1  ✓ 0.1 s",
    "    @@ -1,2 +1,2 @@",
    "     a",
    "    -b",
    "    +B",
  ]);
  expect(itemLines(await withDiff(edit), options)).toEqual([
    "  edit src/a.ts  +1 -1  ✓ 0.1 s",
    "    @@ -1,1 +1,1 @@",
    "    -b",
    "    +B",
  ]);
});

test("a long change is shortened, and a failed edit has none", async () => {
  const content = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("");
  const lines = itemLines(await withDiff({ ...edit, tool: "write", input: { path: "b.ts", content } }), options);
  expect([lines[0], lines.length, lines.at(-1)]).toEqual(["  write b.ts  +30 -0  ✓ 0.1 s", 18, "    … +15 lines"]);
  expect(await withDiff({ ...edit, status: "error" })).not.toHaveProperty("diff");
});
