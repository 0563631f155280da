import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forEachInParallel, missingForContainer, runInContainer } from "./container.ts";
import { allowedCommands } from "./decide-in-workspace.ts";
import { findingsOf } from "./findings.ts";
import { readCorpus } from "./read-corpus.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const timeLimitMs = 600_000; // for busy machines

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

if (missingForContainer !== undefined) console.warn(`Commands are not executed in this test. ${missingForContainer}`);

describe.skipIf(missingForContainer !== undefined)("what allowed commands do, in a container", () => {
  test("the container shows when a command reads, changes or starts something outside", async () => {
    const expectedFindings: Readonly<Record<string, string>> = {
      "cat ~/.ssh/id_rsa": "opened ~/.ssh/id_rsa",
      "grep -R secret .": "opened ~/work/outside/secret.txt",
      "ls ..": "opened ~/work",
      "touch ../x": "~/work/x is new",
      "echo x > hard-out.txt": "~/work/outside/hard.txt is different",
      "chmod 777 ../sibling/x": "~/work/sibling/x is different",
      "rm linkd-out/secret.txt": "~/work/outside/secret.txt is gone",
      "echo x > .git/hooks/pre-commit": "~/work/app/.git/hooks/pre-commit is new",
      "../sibling/run.sh": "opened ~/work/sibling/run.sh",
      "true && canary": "opened ~/bin/canary",
      "sh -c 'unshare true'": "started /usr/bin/unshare",
    };
    await forEachInParallel(Object.entries(expectedFindings), async ([command, finding]) => {
      expect([command, ...findingsOf(fixture, await runInContainer(fixture, { command }))]).toContain(finding);
    });
    const attempt = await runInContainer(fixture, { command: "touch ../x; touch README.md", isReader: true });
    expect(findingsOf(fixture, attempt)).toEqual(["tried to write ../x"]);
    const harmless = await runInContainer(fixture, { command: "cat README.md > copy.md; git status" });
    expect([harmless.exitCode, ...findingsOf(fixture, harmless)]).toEqual([0]);
  });

  test(
    "no allowed command of the corpus, and no two of them in one line, touches anything outside",
    async () => {
      const corpus = [...readCorpus("dangerous"), ...readCorpus("everyday")].map(({ command }) => command);
      const allowed = await allowedCommands(fixture.workspace, [...corpus, ...combinations()]);
      const findings: Record<string, readonly string[]> = {};
      await forEachInParallel(allowed, async (command) => {
        const found = findingsOf(fixture, await runInContainer(fixture, command));
        if (found.length > 0) findings[command.command] = found;
      });
      expect(allowed.length).toBeGreaterThan(300);
      expect(findings).toEqual({});
    },
    timeLimitMs,
  );
});

/** Random pairs of everyday commands in one line. The seed is fixed, so that a failure can be repeated. */
function combinations(): readonly string[] {
  const everyday = fc.constantFrom(...readCorpus("everyday").map(({ command }) => command));
  const pairs = fc.tuple(everyday, fc.constantFrom(" && ", "; ", " || ", " | ", "\n"), everyday);
  return fc.sample(
    pairs.map((parts) => parts.join("")),
    { numRuns: 100, seed: 18 },
  );
}
