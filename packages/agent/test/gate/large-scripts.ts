/** A script of 150 kB with commands that only read. */
export const bigScript: string = "echo a line of a long script; ls src\n".repeat(4_100);

/** A command inside 3,000 nested substitutions. */
export function deepSubstitutions(innermost: string): string {
  return `${"echo $(".repeat(3_000)}${innermost}${")".repeat(3_000)}`;
}

/** Scripts that a parser or a walk over a tree could take very long for, by what they are. */
export const largeScripts: Readonly<Record<string, string>> = {
  "150 kB of commands": bigScript,
  "150 kB in one word": `echo ${"a".repeat(150_000)}`,
  "150 kB of arguments": `cat ${"src/app.ts ".repeat(14_000)}`,
  "150 kB in a here-document": `cat > new.txt <<'EOF'\n${"a line of text\n".repeat(10_000)}EOF\n`,
  "150 kB in an open here-document": `cat <<EOF\n${"a line of text\n".repeat(10_000)}`,
  "3,000 nested substitutions": deepSubstitutions("ls"),
  "3,000 nested subshells": `${"( ".repeat(3_000)}ls${" )".repeat(3_000)}`,
  "3,000 nested groups": `${"{ ".repeat(3_000)}ls${"; }".repeat(3_000)}`,
  "3,000 nested conditions": `${"if true; then ".repeat(3_000)}ls${"; fi".repeat(3_000)}`,
  "3,000 nested loops": `${"for x in 1; do ".repeat(3_000)}ls${"; done".repeat(3_000)}`,
  "3,000 nested expansions": `echo ${"${x:-".repeat(3_000)}a${"}".repeat(3_000)}`,
  "3,000 nested braces": `echo ${"{a,".repeat(3_000)}b${"}".repeat(3_000)}`,
  "braces with very many words": `echo ${"{a,b}".repeat(40)}`,
  "a range with very many words": "cat {1..999999999}",
  "3,000 open substitutions": "$(".repeat(3_000),
  "3,000 pipes": `ls${" | cat".repeat(3_000)}`,
  "3,000 globs": `cat ${"*/*/*/* ".repeat(3_000)}`,
  "a glob with many stars": `cat ${"*a".repeat(5_000)}`,
  "a glob of many levels": `cat ${"*/".repeat(60)}x`,
  "3,000 assignments": `${Array.from({ length: 3_000 }, (_, index) => `x${index}=$x${index - 1}`).join("; ")}; echo $x`,
  "a value that doubles itself": `x=a; ${'x="$x$x"; '.repeat(60)}cat "$x"`,
  "loops that multiply": `${"for x in a b c d e f g h; do ".repeat(20)}cat "$x"${"; done".repeat(20)}`,
};
