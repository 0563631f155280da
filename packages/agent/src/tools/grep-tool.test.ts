import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bashTool } from "./bash-tool.ts";
import { grepTool } from "./grep-tool.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";

let bench: ToolWorkspace;
let grep: Tool;
beforeEach(async () => {
  bench = await createToolWorkspace();
  grep = grepTool({ workspace: bench.workspace });
});
afterEach(() => bench.remove());

async function file(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(bench.workspace, name)), { recursive: true });
  await writeFile(join(bench.workspace, name), content);
}
const linesOf = async (input: unknown) => (await bench.call(grep, input)).content.split("\n");

test("lines that match are shown with path and number", async () => {
  await file("src/a.ts", "const one = 1;\nconst two = 2;\r\n");
  await file("b.md", "ONE\n");
  expect(await linesOf({ pattern: "one|two" })).toEqual(["src/a.ts:1: const one = 1;", "src/a.ts:2: const two = 2;"]);
  expect(await linesOf({ pattern: "^one$", ignoreCase: true })).toEqual(["b.md:1: ONE"]);
  expect(await linesOf({ pattern: "one", glob: "*.ts" })).toEqual(["src/a.ts:1: const one = 1;"]);
  expect(await linesOf({ pattern: "one", path: "src/a.ts", context: 1 })).toEqual([
    "src/a.ts:1: const one = 1;",
    "src/a.ts-2- const two = 2;",
  ]);
  expect(await linesOf({ pattern: "three" })).toEqual(["No line matches, in 2 files."]);
});

test("binaries, pipes, node_modules and .git are skipped", async () => {
  await file("a.txt", "needle\n");
  await file("bin", Buffer.from("needle\0"));
  await file("node_modules/x.txt", "needle\n");
  await file(".git/x.txt", "needle\n");
  await bench.call(bashTool(), { command: "mkfifo pipe" });
  expect(await linesOf({ pattern: "needle" })).toEqual(["a.txt:1: needle"]);
  expect(await linesOf({ pattern: "needle", path: "node_modules" })).toEqual(["node_modules/x.txt:1: needle"]);
});

test("long output is cut, with a note", async () => {
  await file("many.txt", "match\n".repeat(5_000));
  const lines = await linesOf({ pattern: "match" });
  expect(lines.length).toBe(201);
  expect(lines.at(-1)).toBe("[there may be more: use a narrower pattern, path or glob]");
  await file("wide.txt", `match${"x".repeat(100_000)}\n`);
  expect((await linesOf({ pattern: "match", path: "wide.txt" }))[0]?.length).toBeLessThan(400);
});

test("a pattern with endless backtracking is stopped, with the reason", async () => {
  grep = grepTool({ workspace: bench.workspace, fileMs: 50 });
  await file("a.txt", `${"a".repeat(60)}!\n`);
  expect(await bench.call(grep, { pattern: "^(a+)+$" })).toEqual({
    status: "error",
    content:
      "The pattern takes too long in a.txt: it backtracks too much. Use one without nested repetitions such as (a+)+.",
  });
});

test("an abort stops a pattern with endless backtracking", async () => {
  await file("a.txt", `${"a".repeat(60)}!\n`);
  const controller = new AbortController();
  const grepping = bench.call(grep, { pattern: "^(a+)+$" }, controller.signal);
  setImmediate(() => controller.abort());
  expect((await grepping).status).toBe("interrupted");
});

test("an invalid pattern and a missing path are reported", async () => {
  await file("a.txt", "");
  expect((await bench.call(grep, { pattern: "(" })).content).toContain("The pattern is not a valid regular expression");
  expect((await bench.call(grep, { pattern: "x", path: "gone" })).content).toBe(
    "There is no text file to search in gone.",
  );
});

test("hostile names and contents reach no shell and break no line", async () => {
  for (const name of ["$(touch owned)", "-rf", "a\nb", "`touch owned`", "\u001b[2J"])
    await file(name, "needle $(touch owned)\n");
  const lines = await linesOf({ pattern: "needle" });
  expect(lines).toEqual([
    "\\u{1b}[2J:1: needle $(touch owned)",
    "$(touch owned):1: needle $(touch owned)",
    "-rf:1: needle $(touch owned)",
    "`touch owned`:1: needle $(touch owned)",
    "a\\nb:1: needle $(touch owned)",
  ]);
  expect(existsSync(join(bench.workspace, "owned"))).toBe(false);
});
