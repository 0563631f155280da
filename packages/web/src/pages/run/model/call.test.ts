import { expect, test } from "vitest";
import { callText, isLook, kindOf, stableJson } from "./call.ts";

test.each([
  ["read", { path: "a" }, "read"],
  ["grep", { pattern: "a" }, "read"],
  ["web_fetch", { url: "https://x" }, "read"],
  ["edit", { path: "a" }, "edit"],
  ["write", { path: "a" }, "edit"],
  ["bash", { command: "npm test" }, "run"],
  ["bash", { command: "sleep 20 && curl x" }, "poll"],
  ["mcp__db__query", { sql: "select 1" }, "run"],
])("%s %j is of the kind %s", (tool, input, kind) => {
  expect(kindOf(tool, input)).toBe(kind);
});

test("commands that only look are looks, and those that write are not", () => {
  const look = (command: string, status = "ok") => isLook({ kind: "run", input: { command }, status });
  expect([look("git log --oneline -5"), look("cd api && ls -la"), look("cat a 2>&1")]).toEqual([true, true, true]);
  expect([look("cat a > b"), look("npm test"), look("git push"), look("ls", "error")]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("a call is told by its command, its path or its arguments", () => {
  expect([
    callText("bash", { command: "npm test\nnpm run build" }),
    callText("read", { path: "src/a.ts", offset: 4 }),
    callText("grep", { pattern: "a  b" }),
    callText("query", { sql: "x", limit: 3 }),
    callText("noop", undefined),
  ]).toEqual(["npm test …", "read src/a.ts", "grep a b", "query sql=x limit=3", "noop"]);
});

test("equal inputs have equal texts, whatever the order of their fields", () => {
  expect(stableJson({ b: 1, a: { d: [1, 2], c: 3 } })).toBe(stableJson({ a: { c: 3, d: [1, 2] }, b: 1 }));
});
