import { expect, test } from "vitest";
import { globMatch } from "./glob-match.ts";

const matches = (pattern: string, path: string) => globMatch(pattern)?.(path.split("/"));

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "src/deep/a.ts", true],
  ["src/**", "src/a/b", true],
  ["src/**/test/*.ts", "src/test/a.ts", true],
  ["src/**/test/*.ts", "src/a/b/test/a.ts", true],
  ["src/**/test/*.ts", "lib/test/a.ts", false],
  ["*.{ts,tsx}", "a.tsx", true],
  ["{src,lib}/*.{js,ts}", "lib/x.js", true],
  ["{src,lib}/*.{js,ts}", "bin/x.js", false],
  ["file?.md", "file1.md", true],
  ["file?.md", "file.md", false],
  ["[a-c]x", "bx", true],
  ["[!a-c]x", "bx", false],
  ["[!a-c]x", "dx", true],
  ["a[", "a[", true],
  ["./a/*", "a/b", true],
  ["*", ".hidden", true],
  ["a.b", "aXb", false],
  ["🐑?", "🐑🐑", true],
])("whether %s matches %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test("patterns that would make a backtracking matcher slow are quick", () => {
  expect(matches(`${"*a".repeat(200)}*b`, "a".repeat(2_000))).toBe(false);
  expect(matches(`${"**/a/".repeat(60)}b`, "a/".repeat(200))).toBe(false);
});

test("too many alternatives are refused", () => {
  expect(globMatch("{a,b}".repeat(12))).toBeUndefined();
});
