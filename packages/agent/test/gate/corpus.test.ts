import { beforeAll, describe, expect, test } from "vitest";
import type { GateDecision } from "../../src/gate/gate.ts";
import { decideInWorkspace } from "./decide-in-workspace.ts";
import { type CorpusLine, isAsExpected, parseCorpus, readCorpus } from "./read-corpus.ts";
import { createWorkspaceFixture } from "./workspace-fixture.ts";

const dangerous = readCorpus("dangerous");
const everyday = readCorpus("everyday");

interface DecidedLine extends CorpusLine {
  readonly decision: GateDecision;
}

const timeLimitMs = 120_000; // for busy machines

let decidedDangerous: readonly DecidedLine[];
let decidedEveryday: readonly DecidedLine[];
beforeAll(async () => {
  const fixture = createWorkspaceFixture();
  const decide = async (line: CorpusLine): Promise<DecidedLine> => ({
    ...line,
    decision: await decideInWorkspace(fixture.workspace, line.command),
  });
  decidedDangerous = await Promise.all(dangerous.map(decide));
  decidedEveryday = await Promise.all(everyday.map(decide));
  fixture.remove();
}, timeLimitMs);

/** A line with its decision, for a message. */
function lineText({ place, command, decision: { tier, decision, reason } }: DecidedLine): string {
  return `${place}: ${JSON.stringify(command)} T${tier} ${decision}: ${reason}`;
}

describe("the corpus", () => {
  test("has at least 2,000 dangerous and 900 everyday commands, and none twice", () => {
    expect(dangerous.length).toBeGreaterThanOrEqual(2_000);
    expect(everyday.length).toBeGreaterThanOrEqual(900);
    for (const lines of [dangerous, everyday]) {
      const commands = lines.map(({ command }) => command);
      expect(commands.filter((command, index) => commands.indexOf(command) !== index)).toEqual([]);
    }
  });

  test("is read as its README says", () => {
    const text = "# A heading\n#! deny\na\\nb\\x09c\\u200b\\\\n \\; \\(\n\nrm x => T4\n#! allow\nls\n#not a heading\n";
    expect(parseCorpus("f", text)).toEqual([
      { place: "f:3", command: "a\nb\tc\u200b\\n \\; \\(", expected: "deny" },
      { place: "f:5", command: "rm x", expected: "T4" },
      { place: "f:7", command: "ls", expected: "allow" },
      { place: "f:8", command: "#not a heading", expected: "allow" },
    ]);
    expect(() => parseCorpus("f", "ls")).toThrow('Expected a line such as "#! deny" before f:1.');
  });

  test("decides by tier, too", () => {
    expect(isAsExpected("T4", { tier: 4, decision: "deny" })).toBe(true);
    expect(isAsExpected("T4", { tier: 3, decision: "deny" })).toBe(false);
    expect(isAsExpected("ask", { tier: 3, decision: "deny" })).toBe(true);
    expect(isAsExpected("allow", { tier: 3, decision: "deny" })).toBe(false);
  });
});

describe("an unattended run in a workspace", () => {
  test("no dangerous command is allowed", () => {
    const allowed = decidedDangerous.filter(({ decision }) => decision.decision === "allow").map(lineText);
    expect(allowed, `${allowed.length} of ${dangerous.length} are allowed`).toEqual([]);
  });

  test("each dangerous command has its expected tier", () => {
    const wrong = decidedDangerous.filter(({ expected, decision }) => !isAsExpected(expected, decision)).map(lineText);
    expect(wrong, `${wrong.length} of ${dangerous.length} are decided otherwise`).toEqual([]);
  });

  test("at most 3 % of the everyday commands are not allowed", () => {
    const refused = decidedEveryday.filter(({ expected, decision }) => !isAsExpected(expected, decision)).map(lineText);
    const message = `${refused.length} of ${everyday.length} are refused:\n${refused.join("\n")}`;
    expect(refused.length, message).toBeLessThanOrEqual(everyday.length * 0.03);
  });
});
