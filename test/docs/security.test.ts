import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinTools, createGate } from "@sheepdog/agent";
import { expect, onTestFinished, test } from "vitest";
import { codeSpans, readRepositoryFile, tableRows } from "./page.ts";

const decisions = { runs: "allow", asks: "ask", "is refused": "deny" } as const;

test("docs/security.md states the tier and the decision of each example", async () => {
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-security-")));
  onTestFinished(() => rm(workspace, { recursive: true }));
  await mkdir(join(workspace, "src"));
  const bash = builtinTools({ workspace }).find(({ name }) => name === "bash");
  if (bash === undefined) throw new Error("Expected a built-in tool called bash.");
  const rows = tableRows(readRepositoryFile("docs/security.md")).filter(([tier = ""]) => /^T\d$/.test(tier));
  expect(rows.map(([tier]) => tier)).toEqual(["T0", "T1", "T2", "T3", "T4"]);
  for (const [tier, , examples = "", whenAttended, whenUnattended] of rows)
    for (const command of codeSpans(examples))
      for (const [attended, expected] of [
        [true, whenAttended],
        [false, whenUnattended],
      ] as const) {
        const call = { type: "call", id: "c1", tool: "bash", input: { command } } as const;
        const decided = await createGate({ attended }).decide(call, bash, { workspace });
        const decision = Object.entries(decisions).find(([word]) => word === expected)?.[1];
        expect([command, `T${decided.tier}`, decided.decision], decided.reason).toEqual([command, tier, decision]);
      }
});
