import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { globTool } from "./glob-tool.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";

let bench: ToolWorkspace;
let glob: Tool;
beforeEach(async () => {
  bench = await createToolWorkspace();
  glob = globTool({ workspace: bench.workspace });
});
afterEach(() => bench.remove());

async function files(...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(bench.workspace, name)), { recursive: true });
    await writeFile(join(bench.workspace, name), "");
  }
}
const linesOf = async (input: unknown) => (await bench.call(glob, input)).content.split("\n");

test("files and folders below a folder are found by pattern, sorted", async () => {
  await files("src/a.ts", "src/deep/b.ts", "src/deep/c.md", "z.ts", ".env.example");
  expect(await linesOf({ pattern: "**/*.ts" })).toEqual(["z.ts", "src/a.ts", "src/deep/b.ts"]);
  expect(await linesOf({ pattern: "*" })).toEqual([".env.example", "src/", "z.ts"]);
  expect(await linesOf({ pattern: "*.{ts,md}", path: "src/deep" })).toEqual(["src/deep/b.ts", "src/deep/c.md"]);
  expect(await linesOf({ pattern: "*.py" })).toEqual(["Nothing matches."]);
});

test("node_modules and .git are entered only when named", async () => {
  await files("a.js", "node_modules/x/a.js", ".git/hooks/a.js");
  expect(await linesOf({ pattern: "**/*.js" })).toEqual(["a.js"]);
  expect(await linesOf({ pattern: "node_modules/**/*.js" })).toEqual(["node_modules/x/a.js"]);
});

test("links are listed but not followed", async () => {
  await files("a/b.txt");
  await symlink("..", join(bench.workspace, "a/up"));
  expect(await linesOf({ pattern: "**/*" })).toEqual(["a/", "a/b.txt", "a/up"]);
});

test("matches above the limit are counted", async () => {
  await files(...Array.from({ length: 310 }, (_, i) => `many/${i}.txt`));
  const lines = await linesOf({ pattern: "many/*" });
  expect(lines.length).toBe(301);
  expect(lines.at(-1)).toBe("[10 more: use a narrower pattern]");
});

test("folders that cannot be searched are reported", async () => {
  await files("a.txt");
  expect(await bench.call(glob, { pattern: "*", path: "a.txt" })).toEqual({
    status: "error",
    content: "a.txt: it is a file, not a folder.",
  });
  expect(await bench.call(glob, { pattern: "*", path: "gone" })).toEqual({
    status: "error",
    content: "gone: there is no such file or folder.",
  });
  expect((await bench.call(glob, { pattern: "{a,b}".repeat(12) })).status).toBe("error");
  expect((await bench.call(glob, { pattern: "**/*" }, AbortSignal.abort())).status).toBe("interrupted");
});

test("hostile names are listed on one line each and nothing in them is run", async () => {
  await files("$(touch owned)", "-rf", "a\nb", "\u001b[2J", ";touch owned");
  expect(await linesOf({ pattern: "*" })).toEqual(["\\u{1b}[2J", "$(touch owned)", "-rf", ";touch owned", "a\\nb"]);
  expect(existsSync(join(bench.workspace, "owned"))).toBe(false);
});
