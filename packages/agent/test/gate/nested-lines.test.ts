import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { containerOptions, forEachInParallel, missingForContainer, runToEnd } from "./container.ts";
import { allowedCommands } from "./decide-in-workspace.ts";
import { nestedLines } from "./nested-lines.ts";
import { randomLineCount, randomSeed } from "./random-seed.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const timeLimitMs = 1_800_000; // for busy machines, and for more lines
const linesPerContainer = 100;

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

if (missingForContainer !== undefined) console.warn(`Nested lines are not executed here. ${missingForContainer}`);

describe.skipIf(missingForContainer !== undefined)("bash, in a container", () => {
  test("shows which lines touch a canary, also when they end later or never", async () => {
    const touching = [
      "canary",
      "/canary/program /a",
      ": > /canary/touched",
      "echo a > ../out",
      "(sleep 0.1; canary) &",
    ];
    const others = ["echo a", "cat '", "sleep 100", "echo '$(canary)'"];
    const lines = [...touching, ...others].flatMap((line) => [line, "echo a > out.txt"]);
    expect(await outcomesOf(lines)).toEqual(lines.map((line) => touching.includes(line)));
  });

  test(
    "touches no canary when it runs an allowed line",
    async () => {
      const lines = [...new Set(fc.sample(nestedLines, { numRuns: randomLineCount, seed: randomSeed }))];
      const allowed = (await allowedCommands(fixture.workspace, lines)).map(({ command }) => command);
      const checked = lines.slice(0, 500);
      const refused = await outcomesOf(checked.map((line) => `bash -n -c ${quoted(line)} || canary`));
      const validShare = refused.filter((isRefused) => !isRefused).length / checked.length;
      const outcomes = await outcomesOf(allowed);
      const touching = allowed.filter((_, at) => outcomes[at] === true);
      const figures = `seed ${randomSeed}: ${lines.length} lines, ${Math.round(validShare * 100)} % valid, \
${allowed.length} allowed, ${outcomes.length} executed, ${touching.length} touched a canary`;
      console.info(figures);
      expect(touching, figures).toEqual([]);
      expect(validShare, figures).toBeGreaterThan(0.8);
      expect(allowed.length / lines.length, figures).toBeGreaterThan(0.12);
    },
    timeLimitMs,
  );
});

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Whether each line touches a canary. */
async function outcomesOf(lines: readonly string[]): Promise<readonly boolean[]> {
  const starts = Array.from({ length: Math.ceil(lines.length / linesPerContainer) }, (_, at) => at * linesPerContainer);
  const outcomes: boolean[] = [];
  await forEachInParallel(starts, async (start) => {
    const touches = await touchesIn(lines.slice(start, start + linesPerContainer));
    for (const [at, isTouched] of touches.entries()) outcomes[start + at] = isTouched;
  });
  return outcomes;
}

/** A pipe ends when the last process of the line has ended, also one in the background. */
const runEachLine = `
cp --archive /fixture/. "$1"
printf '#!/bin/sh\\n: > /canary/touched\\n' > /canary/program
chmod +x /canary/program
cp /canary/program ~/bin/canary
while IFS= read -r -d "" line; do
  v=value timeout --signal=KILL 2 bash --noprofile --norc -c "$line" < /dev/null 2>&1 | cat > /dev/null
  if [ -e /canary/touched ] || [ -e ../out ]; then printf 1; else printf 0; fi
  rm -rf /canary/touched ../out
done < /lines/lines > /lines/touched
`;

/** The same for the lines of one container: all files are in its memory, those of the system cannot be changed. */
async function touchesIn(lines: readonly string[]): Promise<readonly boolean[]> {
  const { root, workspace } = fixture;
  const folder = mkdtempSync(join(tmpdir(), "gate-lines-"));
  try {
    writeFileSync(join(folder, "lines"), lines.map((line) => `${line}\0`).join(""));
    const inMemory = ["--tmpfs", root, "--dir", workspace, "--ro-bind", root, "/fixture", "--tmpfs", "/canary"];
    const argv = ["bash", "--noprofile", "--norc", "-c", runEachLine, "bash", root];
    const options = containerOptions(fixture, [...inMemory, "--bind", folder, "/lines"]);
    const end = await runToEnd("bwrap", [...options, ...argv], { timeout: timeLimitMs });
    const outcomes = readFileSync(join(folder, "touched"), "utf8");
    if (outcomes.length !== lines.length)
      throw new Error(`Only ${outcomes.length} of ${lines.length} ran: ${end.stderr}`);
    return [...outcomes].map((outcome) => outcome === "1");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
