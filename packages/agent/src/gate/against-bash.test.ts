import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { classifyBash } from "./classify-bash.ts";
import { shellPieces } from "./testing/shell-pieces.ts";

let dir: string;
let workspace: string;
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "gate-bash-")));
  workspace = join(dir, "workspace");
  mkdirSync(join(workspace, "sub"), { recursive: true });
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "bin", "canary"), '#!/bin/sh\necho called > "$CANARY_FILE"\n');
  chmodSync(join(dir, "bin", "canary"), 0o755);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a command line like the bash tool; true when it called the canary or wrote outside the workspace. */
function escapes(command: string): boolean {
  const path = `${join(dir, "bin")}:/usr/bin:/bin`;
  const env = { PATH: path, HOME: join(dir, "home"), CANARY_FILE: join(dir, "canary-called") };
  spawnSync("bash", ["-c", command], {
    cwd: workspace,
    env,
    stdio: ["ignore", "ignore", "ignore"],
    timeout: 2_000,
    killSignal: "SIGKILL",
  });
  return [join(dir, "canary-called"), join(dir, "out"), join(dir, "home")].some(existsSync);
}

const pieces = fc.constantFrom(
  ...shellPieces,
  ...[
    "echo",
    "ls",
    "cat",
    "echo hi",
    "true",
    "x=1",
    "canary",
    "canary",
    "canary",
    "../out",
    "> f",
    "> ../out",
    ">> ../out",
    "sub",
    "cd sub",
    "cd ..",
  ],
  ...[
    "$'",
    "<(",
    "<<'EOF'",
    "<<-EOF",
    "\nEOF\n",
    "\nEOF",
    "<<<",
    "\\\n",
    "$",
    "for x in 1",
    "while",
    "case x in x)",
    ";;",
    "esac",
    "time",
  ],
  ...["[ -f", "]", "-n", "\t", "{a,b}", "$((", "a[", "eval", "sub/", "f()"],
);

test("when bash runs an allowed command line, it calls no unknown program and does not leave the workspace", () => {
  expect(escapes("canary")).toBe(true); // proof that the canary is noticed
  rmSync(join(dir, "canary-called"));
  const lines = fc
    .tuple(
      fc.array(fc.tuple(pieces, fc.constantFrom("", " ", " ")), { minLength: 2, maxLength: 9 }),
      fc.constantFrom("canary", "canary > ../out", ""),
    )
    .map(([words, last]) => words.map((word) => word.join("")).join("") + last);
  let allowedLines = 0;
  fc.assert(
    fc.property(lines, (line) => {
      if (!/canary|\.\./.test(line) || classifyBash(line, { workspace }).tier > 2) return;
      allowedLines += 1;
      expect(escapes(line), line).toBe(false);
    }),
    { numRuns: 5_000 },
  );
  expect(allowedLines).toBeGreaterThan(10);
}, 120_000);
