import fc from "fast-check";
import { shellPieces } from "../../src/gate/testing/shell-pieces.ts";

const words = ["echo", "ls", "cat", "echo hi", "true", "x=1", "canary", "canary", "canary", "src", "cd src", "cd .."];
const places = ["../out", "> f", "> ../out", ">> ../out", "src/", "src/*", "link*", "~/.ssh/id_rsa", "hard-out.txt"];
const syntax = ["$'", "<(", "<<'EOF'", "<<-EOF", "\nEOF\n", "\nEOF", "<<<", "\\\n", "$", "for x in 1", "while", ";;"];
const moreSyntax = ["case x in x)", "esac", "time", "[ -f", "]", "-n", "\t", "{a,b}", "$((", "a[", "eval", "f()", "\r"];

/** Pieces of shell syntax in any order: most lines are not valid, and the others are unusual. */
export const brokenLines: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom(...shellPieces, ...words, ...places, ...syntax, ...moreSyntax),
        fc.constantFrom("", " "),
      ),
      { minLength: 2, maxLength: 9 },
    ),
    fc.constantFrom("canary", "canary > ../out", ""),
  )
  .map(([pieces, last]) => pieces.map((piece) => piece.join("")).join("") + last);

const readers = [
  "cat",
  "ls",
  "ls -R",
  "head -n1",
  "wc -l",
  "grep -r e",
  "grep -R e",
  "sort",
  "sed -n p",
  "diff -r",
  "du",
];
const finders = [
  "find",
  "find -L",
  "find . -name",
  "xargs cat <",
  "echo",
  "test -f",
  "git diff --",
  "git status",
  "stat",
];
const writers = ["cp", "cp -r", "cp -a", "cp -rL", "mv", "touch", "tee", "sed -i s/a/b/", "mkdir -p", "truncate -s 0"];
const changers = ["rm", "rm -r", "chmod 600", "ln -s", "git switch", "git checkout", "git stash pop", "sort -o", "cd"];
const insidePaths = [
  "README.md",
  "src",
  "src/*.ts",
  "new",
  "current/app.ts",
  "data/items.csv",
  "docs/*.md",
  ".",
  "d",
  "d/in",
];
const outsidePaths = [
  "linkf-out",
  "link*",
  "linkd-out/secret.txt",
  "l*/secret.txt",
  "in",
  "in/x",
  "*",
  "./*",
  "*/",
  "deep",
];
const morePaths = [
  "deep/*/out",
  "../sibling/x",
  "~/.bashrc",
  '"$HOME"/.netrc',
  "hard-out.txt",
  "h*",
  "..",
  "links",
  '"$f"',
];
const redirections = [
  "> new",
  "> ../x",
  ">> hard-out.txt",
  "2>/dev/null",
  "< README.md",
  "< linkf-out",
  "> h*",
  "> $f",
];

const path = fc.constantFrom(...insidePaths, ...outsidePaths, ...morePaths);
const simpleCommand = fc
  .tuple(
    fc.constantFrom(...readers, ...finders, ...writers, ...changers),
    fc.array(path, { minLength: 0, maxLength: 2 }),
    fc.option(fc.constantFrom(...redirections), { nil: "" }),
  )
  .map(([program, paths, redirection]) => [program, ...paths, redirection].filter((part) => part !== "").join(" "));
const command = fc.oneof(
  { weight: 6, arbitrary: simpleCommand },
  { weight: 1, arbitrary: fc.tuple(path, simpleCommand).map(([items, body]) => `for f in ${items}; do ${body}; done`) },
  { weight: 1, arbitrary: fc.tuple(path, simpleCommand).map(([value, body]) => `f=${value}; ${body}`) },
  { weight: 1, arbitrary: simpleCommand.map((inner) => `echo "$(${inner})"`) },
);

/** Valid lines of one to three commands with paths that lead inside and outside. */
export const plausibleLines: fc.Arbitrary<string> = fc
  .tuple(command, fc.array(fc.tuple(fc.constantFrom("; ", " && ", " || ", " | ", "\n"), command), { maxLength: 2 }))
  .map(([first, others]) => first + others.flat().join(""));
