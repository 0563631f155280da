import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decideInWorkspace } from "./decide-in-workspace.ts";
import { brokenLines, plausibleLines } from "./random-lines.ts";
import { randomSeed } from "./random-seed.ts";
import { readCorpus } from "./read-corpus.ts";
import { commandNames, printedBySecondParser } from "./second-parser.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const timeLimitMs = 120_000;

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

/** How the second parser disagrees with ours about a line: an error, or commands that ours does not have. */
async function disagreement(line: string): Promise<string | undefined> {
  try {
    const ours = new Set(commandNames(line));
    const missing = commandNames(await printedBySecondParser(line)).filter((name) => !ours.has(name));
    return missing.length === 0 ? undefined : `also has the commands ${missing.join(", ")}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The allowed lines about which the parsers disagree. */
async function disagreements(lines: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const line of lines) {
    if ((await decideInWorkspace(fixture.workspace, line)).decision !== "allow") continue;
    const text = await disagreement(line);
    if (text !== undefined) found[line] = text;
  }
  return found;
}

describe("a second parser", () => {
  test("finds commands that are hidden from a reader", async () => {
    expect(commandNames(await printedBySecondParser("echo hi;#\nto\\\nuch x; ls `pwd` <(id)"))).toEqual([
      "echo",
      "touch",
      "ls",
      "pwd",
      "id",
    ]);
    expect(await disagreement("echo 'a")).toContain("without closing quote");
  });

  test(
    "agrees about every allowed command of the corpus",
    async () => {
      const corpus = [...readCorpus("dangerous"), ...readCorpus("everyday")].map(({ command }) => command);
      expect(await disagreements(corpus)).toEqual({});
    },
    timeLimitMs,
  );

  test.each([
    { name: "pieces of syntax", lines: brokenLines, numRuns: 5_000 },
    { name: "plausible commands", lines: plausibleLines, numRuns: 1_000 },
  ])(
    "agrees about every allowed random line: $name",
    async ({ lines, numRuns }) => {
      const seed = randomSeed;
      expect(await disagreements(fc.sample(lines, { numRuns, seed })), `seed ${seed}`).toEqual({});
    },
    timeLimitMs,
  );
});
