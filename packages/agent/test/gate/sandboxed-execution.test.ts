import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forEachInParallel } from "./container.ts";
import { allowedCommands } from "./decide-in-workspace.ts";
import { readCorpus } from "./read-corpus.ts";
import { findingsInSandbox, giveToContainerUser, missingForSandbox } from "./sandboxed-run.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const timeLimitMs = 900_000; // for busy machines

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
  giveToContainerUser(fixture);
});
afterAll(() => fixture.remove());

if (missingForSandbox !== undefined) console.warn(`Commands are not executed in our sandbox. ${missingForSandbox}`);

describe.skipIf(missingForSandbox !== undefined)("what commands do in our sandbox, inside a container", () => {
  test(
    "without the sandbox the container shows reads and changes, with it there are none",
    async () => {
      const expectedFindings: Readonly<Record<string, string>> = {
        "cat ~/.ssh/id_rsa": "~/.ssh/id_rsa was read",
        "grep -R secret .": "~/work/outside/secret.txt was read",
        "ls ..": "~/work was read",
        "touch ../x": "~/work/x is new",
        "chmod 777 ../sibling/x": "~/work/sibling/x is different",
        "rm linkd-out/secret.txt": "~/work/outside/secret.txt is gone",
        "echo x > .git/hooks/pre-commit": "~/work/app/.git/hooks/pre-commit is new",
      };
      await forEachInParallel(Object.entries(expectedFindings), async ([command, finding]) => {
        expect([command, ...(await findingsInSandbox(fixture, command, { isSandboxed: false }))]).toContain(finding);
        expect([command, ...(await unexpectedFindings(command, readsByDesign))]).toEqual([command]);
      });
      expect(await findingsInSandbox(fixture, "sleep 100", { timeout: 500 })).toEqual([
        "was killed after its time limit",
      ]);
    },
    timeLimitMs,
  );

  test(
    "no command of the corpus that the gate allows touches anything outside",
    async () => {
      const corpus = [...readCorpus("dangerous"), ...readCorpus("everyday")].map(({ command }) => command);
      const allowed = (await allowedCommands(fixture.workspace, corpus)).map(({ command }) => command);
      expect(allowed.length).toBeGreaterThan(300);
      expect(await allFindings(sampleOf(allowed), readsByDesign)).toEqual({});
    },
    timeLimitMs,
  );

  test(
    "no dangerous command of the corpus touches anything outside, if it is started although the gate refuses it",
    async () => {
      const dangerous = readCorpus("dangerous").map(({ command }) => command);
      const canStart = (command: string) => !command.includes("\0") && !forksWithoutEnd.test(command);
      const commands = dangerous.filter(canStart);
      const expected = [...readsByDesign, ...notPromised];
      const ending = commands.filter((command) => !endless.test(command));
      expect(ending.length).toBeGreaterThan(300);
      expect(await allFindings(sampleOf(ending), expected)).toEqual({});
      const killed = /^was killed after its time limit$/;
      const others = commands.filter((command) => endless.test(command));
      expect(await allFindings(others, [...expected, killed], 3_000)).toEqual({});
    },
    timeLimitMs,
  );
});

const sampleSize = 200;

/** Some of the commands, evenly spread, since each takes a moment; all of them with GATE_ALL=1. */
function sampleOf(commands: readonly string[]): readonly string[] {
  const step = process.env["GATE_ALL"] === "1" ? 1 : Math.ceil(commands.length / sampleSize);
  return commands.filter((_, at) => at % step === 0);
}

/** What the sandbox shows on purpose. */
const readsByDesign: readonly RegExp[] = [
  /^~\/bin(?:\/canary)? was read$/, // the user's own programs are visible
  /^~\/work\/outside\/hard.txt was read$/, // a hard link of the workspace is a file of the workspace
];

/** What the sandbox leaves to the gate. */
const notPromised: readonly RegExp[] = [
  /^~\/work\/outside\/hard.txt is different$/, // a hard link, as above
  /^~\/work\/app\/\.git\/info/, // names no programs by itself; the configuration does, and is protected
];

/** They would harm by their load, which the sandbox does not limit. */
const forksWithoutEnd = /^:\(\)|^bomb\(\)|^while :; do \(while/;

/** They run until they are killed. What they did until then counts. */
const endless = /^(?:git daemon|python3 -m http\.server|strace -p|watch -n|tail -f) ?|^awk .*ARGV\[ARGC\+\+\]/;

async function unexpectedFindings(
  command: string,
  expected: readonly RegExp[],
  timeout?: number,
): Promise<readonly string[]> {
  const findings = await findingsInSandbox(fixture, command, timeout === undefined ? {} : { timeout });
  return findings.filter((finding) => !expected.some((pattern) => pattern.test(finding)));
}

/** The unexpected findings of each command that has some. */
async function allFindings(
  commands: readonly string[],
  expected: readonly RegExp[],
  timeout?: number,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const findings: Record<string, readonly string[]> = {};
  await forEachInParallel(commands, async (command) => {
    const unexpected = await unexpectedFindings(command, expected, timeout);
    if (unexpected.length > 0) findings[command] = unexpected;
  });
  return findings;
}
