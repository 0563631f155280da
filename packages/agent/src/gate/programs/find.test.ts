import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classifyBash } from "../shell/classify-bash.ts";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";

let files: TestWorkspace;
beforeAll(() => {
  files = createTestWorkspace();
  for (const name of ["-A", "-delete", "one.md", "two.md", "only.txt", "sub/;", "sub/x"]) files.write(name);
});
afterAll(() => files.remove());

const tierOf = (line: string): number => classifyBash(line, { workspace: files.workspace }).tier;

describe("a file pattern among the words of find", () => {
  test.each([
    "find . ! -name -*",
    "find . -name *.md",
    "find src -name -d*",
    "cd sub && find . -exec grep x ? {} +",
    "touch -- -x; find . -name *.rs",
  ])("%s may become other words", (line) => {
    expect(tierOf(line)).toBe(4);
  });

  test.each([
    "find . -name *.rs",
    "find . -name only*",
    "find . -name '*.md'",
    "find src -name x.ts -exec grep -l x *.md {} +",
  ])("%s stays what it is", (line) => {
    expect(tierOf(line)).toBe(0);
  });
});

describe("the command behind -exec", () => {
  test("ends at a plus sign only behind {}", () => {
    expect(tierOf("find .git -exec rm -rf -- + -exec ls -d {} +")).toBe(4);
    expect(tierOf("find src -exec ls -d {} +")).toBe(0);
  });

  test("has no word that could be its end", () => {
    expect(tierOf('find src -exec echo "$(cat a.ts)" -exec ls . \\;')).toBe(4);
  });
});

describe("folders that are left out", () => {
  test("are left out only where the search starts here", () => {
    files.link("sub/out/secret", "/etc/hostname");
    expect(tierOf("find . -not -path './sub/*' -name 's*' -exec cat {} +")).toBe(0);
    expect(tierOf("find sub -not -path './out/*' -name 's*' -exec cat {} +")).toBeGreaterThan(2);
  });
});
