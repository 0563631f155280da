import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forEachInParallel, missingForContainer, runInContainer } from "./container.ts";
import { allowedCommands } from "./decide-in-workspace.ts";
import { findingsOf, unusualPaths } from "./findings.ts";
import { brokenLines, plausibleLines } from "./random-lines.ts";
import { randomSeed } from "./random-seed.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const timeLimitMs = 300_000;

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

if (missingForContainer !== undefined) console.warn(`Random lines are not executed here. ${missingForContainer}`);

describe.skipIf(missingForContainer !== undefined)("when bash runs an allowed random line in a container", () => {
  test.each([
    { name: "pieces of syntax", lines: brokenLines, numRuns: 20_000, atMost: 60 },
    { name: "plausible commands", lines: plausibleLines, numRuns: 3_000, atMost: 120 },
  ])(
    "it starts known programs only, and opens files of the workspace and the system only: $name",
    async (row) => {
      const seed = randomSeed;
      const lines = [...new Set(fc.sample(row.lines, { numRuns: row.numRuns, seed }))];
      const allowed = await allowedCommands(fixture.workspace, lines.filter(isInteresting));
      const findings: Record<string, readonly string[]> = {};
      await forEachInParallel(allowed.slice(0, row.atMost), async (line) => {
        const run = await runInContainer(fixture, line);
        const found = [...findingsOf(fixture, run), ...unusualPaths(fixture, run)];
        if (found.length > 0) findings[line.command] = found;
      });
      expect(findings, `seed ${seed}`).toEqual({});
      expect(allowed.length).toBeGreaterThan(10);
    },
    timeLimitMs,
  );
});

/** A line that names nothing outside and runs nothing unknown cannot show much. */
function isInteresting(line: string): boolean {
  return /canary|\.\.|link|hard|~|HOME|\bin\b|\*|deep/.test(line);
}
