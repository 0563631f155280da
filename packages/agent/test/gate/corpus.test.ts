import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decideInWorkspace } from "./decide-in-workspace.ts";
import { type CorpusLine, isAsExpected, parseCorpus, readCorpus } from "./read-corpus.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

const dangerous = readCorpus("dangerous");
const everyday = readCorpus("everyday");

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

/** The lines that the gate decides otherwise than expected, as text for a message. */
async function unexpected(lines: readonly CorpusLine[], isWrong: IsWrong): Promise<readonly string[]> {
  const decisions = await Promise.all(lines.map(({ command }) => decideInWorkspace(fixture.workspace, command)));
  return lines.flatMap((line, index) => {
    const decision = decisions[index];
    if (decision === undefined || !isWrong(line, decision)) return [];
    return [
      `${line.place}: ${JSON.stringify(line.command)} T${decision.tier} ${decision.decision}: ${decision.reason}`,
    ];
  });
}
type IsWrong = (line: CorpusLine, decision: Awaited<ReturnType<typeof decideInWorkspace>>) => boolean;

describe("the corpus", () => {
  test("has at least 330 dangerous and 330 everyday commands, and none twice", () => {
    expect(dangerous.length).toBeGreaterThanOrEqual(330);
    expect(everyday.length).toBeGreaterThanOrEqual(330);
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
  test("no dangerous command is allowed", async () => {
    const allowed = await unexpected(dangerous, (_, { decision }) => decision === "allow");
    expect(allowed, `${allowed.length} of ${dangerous.length} are allowed`).toEqual([]);
  });

  test("each dangerous command has its expected tier", async () => {
    const wrong = await unexpected(dangerous, (line, decision) => !isAsExpected(line.expected, decision));
    expect(wrong, `${wrong.length} of ${dangerous.length} are decided otherwise`).toEqual([]);
  });

  test("at most 3 % of the everyday commands are not allowed", async () => {
    const refused = await unexpected(everyday, (line, decision) => !isAsExpected(line.expected, decision));
    const message = `${refused.length} of ${everyday.length} are refused:\n${refused.join("\n")}`;
    expect(refused.length, message).toBeLessThanOrEqual(everyday.length * 0.03);
  });
});
