// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { matchesText } from "../files/file-pattern.ts";
import { isFreeVariable } from "../programs/free-variables.ts";
import { awkEffects } from "../programs/languages/awk-program.ts";
import { jqReach } from "../programs/languages/jq-program.ts";
import { isHarmlessSed } from "../programs/languages/sed-script.ts";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";
import { classifyBash } from "./classify-bash.ts";

let files: TestWorkspace;
beforeAll(() => {
  files = createTestWorkspace();
});
afterAll(() => files.remove());

const judge = (line: string) => classifyBash(line, { workspace: files.workspace });

describe("long and deep command lines end in a decision", () => {
  test.each([
    ["a script of 150 kB", "echo hello\n".repeat(15_000)],
    ["3,000 nested substitutions", `echo ${"$(echo ".repeat(3_000)}x${")".repeat(3_000)}`],
    ["3,000 nested quotes and substitutions", `echo ${'"$(echo '.repeat(3_000)}x${')"'.repeat(3_000)}`],
    ["3,000 nested backquotes", `${"`".repeat(3_000)}x`],
    ["3,000 nested subshells", `${"(".repeat(3_000)}ls${")".repeat(3_000)}`],
    ["3,000 nested conditions", `${"if true; then ".repeat(3_000)}ls${"; fi".repeat(3_000)}`],
    ["3,000 nested parameters", `echo ${"${x:-".repeat(3_000)}y${"}".repeat(3_000)}`],
    ["3,000 nested braces", `echo ${"{a,".repeat(3_000)}b${"}".repeat(3_000)}`],
    ["many alternatives", `${"for x in 1 2 3 4; do ".repeat(6)}cat $x$x$x$x${"; done".repeat(6)}`],
    ["many braces", `cat ${"{a,b}".repeat(40)}`],
  ])("%s", (_, line) => {
    expect(judge(line).tier).toBe(4);
  });

  test.each([
    ["a long word", `echo ${"a".repeat(90_000)}`],
    ["a long here-document", `cat > x.txt <<'EOF'\n${"line of text\n".repeat(6_000)}EOF`],
    ["a long file name", `cat ${"a/".repeat(2_000)}x`],
    ["a long pattern", `ls ${"*".repeat(200)}x`],
    ["a long awk program", `awk '${"x = x + 1; ".repeat(1_000)}'`],
    ["a long sed script", `sed '${"s/a/b/;".repeat(1_000)}' a.ts`],
    ["a long jq program", `jq '${".a | ".repeat(1_000)}.' package.json`],
  ])("%s is understood", (_, line) => {
    expect(judge(line).tier).toBeLessThanOrEqual(1);
  });
});

/** Texts that make a careless regular expression try very many ways to match. */
const hostile = [
  ...["a", "-", "/", ".", "*", "\\", '"', "(", "[", "{", "=", ",", " ", "$", "!", "\\n", "%", "|"],
  ...["a=", "[^]", "[]]", "a..", "a/"],
];

describe.each(hostile)("many of %j do not hide what stands behind them", (piece) => {
  const text = piece.repeat(Math.floor(50_000 / piece.length));
  const shorter = text.slice(0, 15_000); // below the limits for scripts

  test("in awk", () => {
    expect(awkEffects(`${shorter}\n{ system("id") }`)).toHaveProperty("problem");
    expect(awkEffects(`/${shorter}/ { system("id") }`)).toHaveProperty("problem");
  });

  test("in jq", () => {
    expect(jqReach(`${text}| env`)).toBeDefined();
  });

  test("in sed", () => {
    expect(isHarmlessSed(`${shorter}\ne id`)).toBe(false);
    expect(isHarmlessSed(`s/${shorter}/e`)).toBe(false);
  });

  test("in a pattern of file names", () => {
    const manyStars = `*${"a*".repeat(50)}b`;
    expect(matchesText(manyStars, text.slice(0, 5_000))).toBe(false);
    expect(matchesText(manyStars, `${"a".repeat(60)}${text.slice(0, 5_000)}b`)).toBe(true);
  });

  test("in the name of a variable", () => {
    expect(isFreeVariable(`${text}=PATH`)).toBe(false);
    expect(judge(`LD_${text.replaceAll(/\W/g, "A")}=x ls`).tier).toBe(4);
  });

  test.each([
    ["a word", `cat '${text}'`],
    ["an operand of git", `git log '${text}'`],
    ["the value of a variable", `x='${text}'; echo "\${x%.*}"`],
    ["an argument of a compiler", `gcc '-W${text}'`],
    ["an argument of make", `make 'A=${text}'`],
    ["an argument of a package manager", `npm test '--workspace=${text}'`],
  ])("in %s", (_, line) => {
    expect(judge(`${line}; touch ../x`).tier).toBeGreaterThanOrEqual(3);
  });

  test.each([
    ["an option", `grep '--${text}' x`],
    ["a short option", `grep '-@${text}' x`],
  ])("in %s, which is not known", (_, line) => {
    expect(judge(line).tier).toBe(4);
  });
});

test.each([
  'echo "$\\\n(id)"',
  "o=-c; bash $\\\no 'id'",
  "x=/etc/passwd; cat $\\\nx",
  "xy=/etc/passwd; x=a.ts; cat $x\\\ny",
  "cat <<EOF\n$\\\n(id)\nEOF",
  "bash -c $'# \\\nid'",
])("lines that are joined inside a word are not understood: %j", (line) => {
  expect(classifyBash(line, { workspace: "/tmp" }).tier).toBe(4);
});

test("options of rustc are read word by word", () => {
  const line = `RUSTFLAGS='${"-Da".repeat(10_000)}!' cargo build`;
  expect(classifyBash(line, { workspace: "/tmp" }).tier).toBe(4);
});
