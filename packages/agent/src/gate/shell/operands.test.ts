// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../testing/test-workspace.ts";
import { classifyBash } from "./classify-bash.ts";

let files: TestWorkspace;
beforeAll(() => {
  files = createTestWorkspace();
});
afterAll(() => files.remove());

const judge = (line: string) => classifyBash(line, { workspace: files.workspace });

/** Bash runs the command in each of them, where a reader may see quotes around it, or only a part of it. */
const expansions = [
  "${x:-'$(/evil)'}",
  "${x:-'`/evil`'}",
  "${x+'a'$(/evil)}",
  "${x:-$'$(/evil)'}",
  "${v:+$'a' $'`/evil`'}",
  "${v^^$'$(/evil)'}",
  "${v/$(/evil)/a}",
  "${v/$(/evil /path)/a}",
  "${v/$(touch /path)/a}",
  "${v//`/evil /path`/a}",
  "${v/#'$(/evil)'/a}",
  "${v/a/$'$(/evil)'}",
  "${v/a/'$(/evil)'}",
  "${v/<(/evil)/a}",
  "${x:?<(/evil)}",
  "${x:->(/evil)}",
  "${x:-${y%%<(/evil)}}",
  "${x:-${y:-$'$(/evil)'}}",
  "${x:-${y/$(/evil)/a}}",
  "${x:-}${y:-'$(/evil)'}",
  "${x:-\"$'\"$(/evil)'}",
  "${*:-$'$(/evil)'}",
  "${#:-$'$(/evil)'}",
  "${v%'}'$(/evil)}",
  "${v:a[$(/evil)]}",
  "${v:0:a[$(/evil)]}",
  "${!v:-$'$(/evil)'}",
  "${a[$(/evil)]}",
  "$[a[$(/evil)]]",
  "$((a[$(/evil)]))",
  "$(( ${x:-'$(/evil)'} ))",
];

const places: Readonly<Record<string, (expansion: string) => string>> = {
  "double quotes": (expansion) => `echo "${expansion}"`,
  "double quotes, with text around": (expansion) => `printf '%s\n' a"b '${expansion}' c"d`,
  "a here-document": (expansion) => `cat <<EOF\n${expansion}\nEOF`,
  "a here-document with tabs": (expansion) => `cat <<-EOF\n\t'${expansion}'\n\tEOF`,
  "the message of a commit": (expansion) => `git commit -m "$(cat <<EOF\nfix: a\n\n${expansion}\nEOF\n)"`,
  "an assignment": (expansion) => `x="${expansion}"`,
  "an assignment before a command": (expansion) => `x="${expansion}" ls`,
  "an array": (expansion) => `a=("${expansion}")`,
  "an export": (expansion) => `export x="${expansion}"`,
  "a here-string": (expansion) => `cat <<< "${expansion}"`,
  "the target of a redirection": (expansion) => `echo a > "${expansion}"`,
  arithmetic: (expansion) => `echo $((1 + "${expansion}"))`,
  "a test": (expansion) => `[[ -n "${expansion}" ]]`,
  "a comparison": (expansion) => `[[ a == "${expansion}" ]]`,
  "a test by a program": (expansion) => `[ -n "${expansion}" ]`,
  "a case": (expansion) => `case "${expansion}" in a) ls;; esac`,
  "a pattern of a case": (expansion) => `case a in "${expansion}") ls;; esac`,
  "a list": (expansion) => `for i in "${expansion}"; do ls; done`,
  "the input of a loop": (expansion) => `while read -r i; do ls; done <<< "${expansion}"`,
  "a substitution": (expansion) => `echo "$(echo "${expansion}")"`,
  "a script of bash": (expansion) => `bash -c 'echo "${expansion.replaceAll("'", "'\\''")}"'`,
};

describe.each(Object.entries(places))("a command in an operand is tier 4 in %s", (_, lineWith) => {
  test.each(expansions)("%s", (expansion) => {
    const risk = judge(lineWith(expansion));
    expect(risk.tier, risk.reason).toBe(4);
  });
});

describe("a command in the pattern of a replacement is tier 4 without quotes", () => {
  test.each([
    "echo ${v/$(/evil)/a}",
    "y=${v/$(/evil)/a}",
    "y=${v//`/evil`/a}",
    "cat <<< ${v/$(/evil)/a}",
    "[[ ${v/$(/evil)/a} == a ]]",
    "[[ a == ${v/$(/evil)/a} ]]",
    "case ${v/$(/evil)/a} in a) ls;; esac",
    "case a in ${v/$(/evil)/a}) ls;; esac",
    "for i in ${v/$(/evil)/a}; do ls; done",
    "y=${v/<(/evil)/a}",
    "y=${v/'$(/evil)'/a}",
  ])("%s", (line) => {
    expect(judge(line).tier).toBe(4);
  });
});

describe("in double quotes around a substitution, what needs no quotes of its own elsewhere is tier 4", () => {
  test.each([
    "echo \"$([[ a =~ ($'$(/evil)') ]])\"",
    "echo \"$([[ a =~ (b|*$'$(/evil)') ]] && ls)\"",
    "echo \"$([[ a == @(b|$'$(/evil)') ]])\"",
    "echo \"$((echo $'$(/evil)'))\"",
    "echo \"$(a[$'$(/evil)']=1)\"",
    "echo \"$(echo ${x:-$'$(/evil)'})\"",
    "echo \"$(echo ${x?a$'`/evil`'})\"",
    "git commit -m \"$(echo ${x:-$'$(/evil)'})\"",
    'echo "$(echo "$(echo ${v#$\'$(/evil)\'})")"',
    "cat <<EOF\n$(echo ${x:-$'$(/evil)'})\nEOF",
    'echo "$(echo ${x:-"a$\'$(/evil)\'"})"',
  ])("%s", (line) => {
    expect(judge(line).tier).toBe(4);
  });
});

describe("what a variable or a builtin evaluates is tier 4", () => {
  test.each([
    "x='$(/evil)'; echo \"${x@P}\"",
    "x='a[$(/evil)]'; echo \"${v:x:1}\"",
    "x='a[$(/evil)]'; echo \"${v:$x}\"",
    "x='a[$(/evil)]'; echo \"$[x]\"",
    "x='a[$(/evil)]'; echo $((x))",
    "set -- '$(/evil)'; echo \"${@@P}\"",
    "PS4='$(/evil)'; set -x; ls",
    "[[ -v a[$(/evil)] ]]",
    "[[ -v 'a[$(/evil)]' ]]",
    "[[ 'a[$(/evil)]' -eq 1 ]]",
    "[ ! -v 'a[$(/evil)]' ]",
    "[ a -a -v 'a[$(/evil)]' ]",
    "test -v 'a[$(/evil)]'",
    "printf -v 'a[$(/evil)]' x",
    "let 'a[$(/evil)]'",
    "declare 'a[$(/evil)]=1'",
    "declare -i x='a[$(/evil)]'",
    "export 'a[$(/evil)]=1'",
    "readonly 'a[$(/evil)]=1'",
    "read 'a[$(/evil)]' <<< x",
    "unset 'a[$(/evil)]'",
    "x='a[$(/evil)]'; unset \"$x\"",
    "mapfile 'a[$(/evil)]' < a.ts",
    "getopts a 'a[$(/evil)]'",
    "wait -p 'a[$(/evil)]'",
    'echo "a\\\n$(/evil)"',
    "echo $((/evil) )",
  ])("%s", (line) => {
    expect(judge(line).tier).toBe(4);
  });
});

describe("what another shell reads as a command is tier 4", () => {
  test.each([
    "sh -c '[[ a == b || /evil ]]'",
    "sh -c '[[ a && /evil ]]'",
    "dash -c '[[ a > ../x ]]'",
    "timeout 5 sh -c '[[ a < ../x ]]'",
    "sh -c \"echo \\$'\\\\'\\$(/evil)' ''\"",
    "bash -c \"sh -c '[[ a || /evil ]]'\"",
    "sh -c 'y=\"a PATH=.\"; export x=$y; ls'",
    "sh -c 'cat {sub/deep,sub/deep}/../../x'",
  ])("%s", (line) => {
    expect(judge(line).tier).toBe(4);
  });
});

describe("plain operands, and texts that bash does not expand, are understood", () => {
  test.each([
    'echo "${x:-none}" "${x:-(not set)}" "${x:-<none>}" "${x:+--flag}" "${1:-}" "${x:-a, b; c & d!}"',
    'echo "${v%.ts}" "${v##*/}" "${v%%-*}" "${v#[0-9]}" "${v//\\//_}" "${v// /_}"',
    'echo "${v/a/b}" "${v^^}" "${v,}" "${v:0:7}"',
    "x=${y:-a}; x=${y:-'a b'}; x=${y:-\"$z\"}; x=${v//[^a-z]/-}",
    "echo '${x:-$(/evil)}' \"\\${x:-\\$(/evil)}\"",
    "cat <<'EOF'\n${x:-'$(/evil)'} ${v/$(/evil)/a}\nEOF",
    "cat <<EOF\n${x:-none} 'a' \"b\" \\$(/evil)\nEOF",
    "[[ $x =~ ^(a|b)+$ ]] && [[ a =~ 'b$' ]] && echo \"$([[ a == $'\\t' ]])\"",
    "bash -c '[[ -f a.ts || -f b.ts ]] && cat a.ts &> out.txt'",
    "sh -c 'export A=1; [ -f a.ts ] && npm test > out.txt 2>&1'",
    'git commit -m "$(cat <<EOF\nfix: it\'s ${x:-done}\nEOF\n)"',
  ])("%s", (line) => {
    const risk = judge(line);
    expect(risk.tier, risk.reason).toBeLessThanOrEqual(2);
  });
});
