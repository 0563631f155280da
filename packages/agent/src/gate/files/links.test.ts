import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classifyBash } from "../shell/classify-bash.ts";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";

let clean: TestWorkspace;
let linked: TestWorkspace;
beforeAll(() => {
  clean = createTestWorkspace();
  linked = createTestWorkspace({ hasLinks: true });
  linked.hardLink("hard.txt", join(linked.outside, "secret"));
  linked.write("only/inner.txt");
  linked.link("only/up", "../src");
  linked.write("big/0.txt");
});
afterAll(() => {
  clean.remove();
  linked.remove();
});

const judge = (line: string, { workspace }: TestWorkspace) => classifyBash(line, { workspace });

describe("links that the command line does not show", () => {
  test.each([
    ["cat link*", "link out of the workspace"],
    ["tee linkf*", "link out of the workspace"],
    ["cat l*/passwd", "link out of the workspace"],
    ["grep -R x .", "link out of the workspace"],
    ["rg --follow x", "link out of the workspace"],
    ["find -L . -name x", "link out of the workspace"],
    ["cp -rL . dist", "link out of the workspace"],
    ["find . -name 'link*' -exec cat {} +", "link out of the workspace"],
    ["find . | xargs cat", "link out of the workspace"],
    ["mv d/e/in in && cat in/x", "link made by the same line"],
    ["git switch other && cat src/x.ts", "link made by the same line"],
    ["for i in 1 2; do cat in/x; mv d/e/in in; done", "link made by the same line"],
    ["echo x > hard.txt", "hard link"],
    ["sed -i s/a/b/ *.txt", "hard link"],
    ["chmod 600 hard.txt", "hard link"],
    ["find . -name '*.txt' -exec tee {} +", "hard link"],
  ])("%j is refused: %s", (line, pattern) => {
    const risk = judge(line, linked);
    expect(risk.tier).toBeGreaterThanOrEqual(3);
    expect(risk.patterns).toContain(pattern);
  });

  test.each([
    "cat *.ts",
    "cat hard.txt",
    "rm hard.txt",
    "mv hard.txt other.txt",
    "grep -r x .",
    "rg x",
    "find . -name x",
    "find . -type f -exec cat {} +",
    "find . -type f -print0 | xargs -0 cat",
    "grep -R x only",
    "find -L only -name x",
    "cp -rL only dist",
    "cat on*/up/x.ts",
  ])("%j is allowed", (line) => {
    const { tier, reason } = judge(line, linked);
    expect(tier, reason).toBeLessThanOrEqual(1);
  });
});

describe("what an earlier command of the line changes", () => {
  test.each([
    "mv src lib && cat lib/x.ts",
    "cp -r src lib && cat lib/x.ts",
    "mkdir -p new && cp a.ts new/ && cat new/a.ts",
    "git switch -c feature && cat a.ts",
    "git switch main && git status && npm test",
    "git stash && npm test",
    "npm run build && cat dist/index.js", // code of the project could read anything itself
    "node script.js && cat out/b.txt",
  ])("%j is allowed without links", (line) => {
    const { tier, reason } = judge(line, clean);
    expect(tier, reason).toBeLessThanOrEqual(2);
  });

  test.each(["cp -r d new && cat new/e/x", "mv d/e e && ls e/in/.."])("%j is refused with links", (line) => {
    expect(judge(line, linked).tier).toBe(4);
  });
});

test("a search with too many files is not allowed", () => {
  for (let folder = 0; folder < 21; folder += 1)
    for (let file = 0; file < 1_000; file += 1) linked.write(`big/${folder}/${file}.txt`);
  for (const line of ["cat big/*/*.txt", "grep -R x big", "find big | xargs cat", "rm big/*/*.txt"])
    expect(judge(line, linked)).toMatchObject({ tier: 4, patterns: expect.arrayContaining(["search too large"]) });
  expect(judge("grep -r x big", linked).tier).toBe(0);
}, 60_000);

test("all searches of a line together look at a limited number of files", () => {
  for (let file = 0; file < 2_500; file += 1) linked.write(`many/${file}.txt`);
  const search = (times: number): string => Array.from({ length: times }, () => "grep -R x many").join("; ");
  expect(judge(search(20), linked).tier).toBe(0);
  expect(judge(search(40), linked)).toMatchObject({
    tier: 4,
    patterns: expect.arrayContaining(["search too large"]),
  });
}, 60_000);
