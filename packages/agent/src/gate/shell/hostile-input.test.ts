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
  "a",
  "-",
  "/",
  ".",
  "*",
  "\\",
  '"',
  "'",
  "(",
  "[",
  "{",
  "=",
  ",",
  " ",
  "$",
  "!",
  "\\n",
  "%",
  "|",
  "a=",
  "[^]",
];

describe.each(hostile)("many of %j", (piece) => {
  const text = piece.repeat(Math.floor(50_000 / piece.length));
  test.each([
    ["awk", () => awkEffects(text)],
    ["awk, in a regular expression", () => awkEffects(`/${text}`)],
    ["jq", () => jqReach(text)],
    ["sed", () => isHarmlessSed(text)],
    ["sed, in a substitution", () => isHarmlessSed(`s/${text}`)],
    ["a pattern", () => matchesText(`*${"a*".repeat(50)}b`, text.slice(0, 5_000))],
    ["a variable", () => isFreeVariable(text)],
    ["a word", () => judge(`cat '${text.replaceAll("'", "")}'`)],
    ["an option", () => judge(`grep '--${text.replaceAll("'", "")}' x`)],
    ["a short option", () => judge(`sed '-i${text.replaceAll("'", "")}' x`)],
    ["an operand of git", () => judge(`git log '${text.replaceAll("'", "")}'`)],
    ["an argument of a compiler", () => judge(`gcc '-W${text.replaceAll("'", "")}'`)],
    ["an argument of make", () => judge(`make 'A=${text.replaceAll("'", "")}'`)],
    ["an argument of a package manager", () => judge(`npm test '--workspace=${text.replaceAll("'", "")}'`)],
    ["the value of a variable", () => judge(`x='${text.replaceAll("'", "")}'; cat "\${x%.*}"`)],
  ])("%s", (_, run) => {
    expect(run).not.toThrow();
  });
});
