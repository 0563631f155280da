// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShellArg } from "../../src/gate/command/shell-arg.ts";
import { classifyBash } from "../../src/gate/shell/classify-bash.ts";
import { containerOptions, missingForContainer, runToEnd } from "./container.ts";
import { randomSeed } from "./random-seed.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const timeLimitMs = 120_000; // for busy machines
const numRuns = 3_000;

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

/** Parts of words that shells read in different ways. */
const pieces: readonly string[] = [
  ...[
    "a",
    "b",
    "/",
    "..",
    "'a b'",
    '"c d"',
    "\\",
    "\\\n",
    "\n",
    " ",
    "  ",
    "\t",
    "é",
    "#",
    " #",
    "=",
    ":",
    "%",
    "@",
    "!",
  ],
  ...[
    "$x",
    '"$x"',
    "${x}",
    "${x%q}",
    "${x#p}",
    "${x:-d}",
    "${y:-d}",
    '"${x%%*q}"',
    "${#x}",
    "\\$x",
    "'$x'",
    "$",
    "${x",
  ],
  ...[
    "$'x\\ty'",
    "$'\\''",
    "$'\\x2f'",
    "$'\\057'",
    "$'\\u002f'",
    "$'a\\\nb'",
    '$"l"',
    "{a,b}",
    "{1..3}",
    "{",
    "}",
    "{}",
  ],
  ...["{,}", "{a\\,b,c}", "*", "?", "[ab]", "\\*", "'*'", '"', "'", '"\'"', "(", ")", "&&", ";", "|", "<(", "$(", "`"],
];

describe.skipIf(missingForContainer !== undefined)("bash, in a container", () => {
  test(
    "gives a program the arguments that the gate has judged",
    async () => {
      const words = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""));
      const lines = fc
        .sample(words, { numRuns, seed: randomSeed })
        .map((word) => `x=pxq; printf '<%s>' ${word}`)
        .flatMap((line) => {
          const expected = judgedOutput(line);
          return expected === undefined ? [] : [{ line, expected }];
        });
      const outputs = await outputsOf(lines.map(({ line }) => line));
      const compared = lines.map((each, at) => ({ ...each, got: outputs[at] }));
      expect(compared.length).toBeGreaterThan(100);
      expect(compared.filter(({ expected, got }) => got !== expected)).toEqual([]);
    },
    timeLimitMs,
  );
});

/** What the line would print by the arguments that the gate sees; undefined if it refuses the line or one is open. */
function judgedOutput(line: string): string | undefined {
  const commands: (readonly ShellArg[])[] = [];
  const onCommand = ({ words }: { readonly words: readonly ShellArg[] }): undefined => {
    commands.push(words);
  };
  const { tier } = classifyBash(line, { workspace: fixture.workspace, onCommand });
  const [command, ...others] = commands;
  if (tier > 0 || command === undefined || others.length > 0 || command[0]?.value !== "printf") return undefined;
  const args = command.slice(2);
  if (!command.every(({ type }) => type === "plain")) return undefined;
  return args.length === 0 ? "<>" : args.map(({ value }) => `<${value}>`).join("");
}

/** Runs all lines in one container; they only call `printf`, some of them in the background. */
async function outputsOf(lines: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "gate-words-"));
  try {
    writeFileSync(join(folder, "lines"), lines.map((line) => `${line}\0`).join(""));
    writeFileSync(join(folder, "out"), "");
    const script =
      'while IFS= read -r -d "" line; do (eval "$line"; wait); printf "\\0"; done < /words/lines > /words/out';
    const mounts = ["--ro-bind", fixture.root, fixture.root, "--bind", folder, "/words"];
    const argv = ["bash", "--noprofile", "--norc", "-c", script];
    await runToEnd("bwrap", [...containerOptions(fixture, mounts), ...argv], { timeout: timeLimitMs });
    return readFileSync(join(folder, "out"), "utf8").split("\0");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
