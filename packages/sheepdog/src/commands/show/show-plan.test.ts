import { describe, expect, test } from "vitest";
import { childIdOf, directorEvents, saveDirectorRun } from "../../../test/director-run.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome } from "../../../test/test-home.ts";

const file = scratchFolder();
const own = [
  { purpose: "plan", costNanoUsd: 3e7 },
  { purpose: "plan", costNanoUsd: 2e7 },
  { purpose: "judge", costNanoUsd: 1e7 },
] as const;

/** A home with a director's run that has been cancelled. */
async function openHome() {
  const home = await openTestHome(await file("home"));
  const startedAt = Date.now() - 60_000;
  const end = { state: "cancelled", reason: "cancelled" } as const;
  await saveDirectorRun(home.stores, { sessionId: "ses_director", bodies: directorEvents, startedAt, own, end });
  return home;
}

describe("sheepdog show, for a director", () => {
  test("draws the plans, adds up their costs, and says how to see a node", async () => {
    const { sheepdog, close } = await openHome();
    const { code, out, err } = await sheepdog("show", "ses_director");
    expect([code, err]).toEqual([0, ""]);
    const lines = out.slice(out.indexOf("❯")).split("\n");
    expect(lines).toEqual([
      "❯ Add the format.",
      "",
      "turn 1",
      "  Plan rejected: The edge from build to tests names an unknown node: tests.",
      "",
      "plan 1 · 7 nodes · 4 succeeded, 1 failed, 1 not started, 1 blocked",
      "  test failed: The tests do not pass: 3 of 40 fail.",
      expect.stringMatching(/^ {2}diagnosis: One run repaired/),
      "",
      "plan 2 · 7 nodes · 4 kept, 1 succeeded, 1 interrupted, 1 not started",
      "STAGE  NODE          STATE            COST   TIME  SESSION       TASK",
      "1      fetch         ✓ kept         $0.100  1.0 s  ses_66657463  Fetch the issue and the files that it names.",
      "2      parser        ✓ kept         $0.200  4.0 s  ses_70617273  Write the parser.",
      ...Array.from({ length: 10 }, () => expect.any(String)),
      '         ← test-parser (when verdict = "ok"), test-printer (when verdict != "broken"), docs (in any case)',
      "",
      "cost: planning $0.050, judge $0.010, nodes $1.00 (judges $0.250), total $1.06",
      `To see a node: sheepdog show ${childIdOf("test-printer")}`,
      "",
      "✗ Ended: the run was cancelled (2 turns, $1.06 with its subagents).",
      expect.stringMatching(/^To resume: /),
      "",
    ]);
    expect(out).not.toContain("subagents: run_");
    await close();
  });

  test("shows each event of the plan with --full", async () => {
    const { sheepdog, close } = await openHome();
    const { out } = await sheepdog("show", "ses_director", "--full");
    expect(out).toContain("  Plan 1: 7 nodes in 4 stages of up to 3.\n");
    expect(out).toContain("  Node test failed ($0.400): The tests do not pass: 3 of 40 fail.\n");
    await close();
  });

  test("shows a node as a run of its own", async () => {
    const { sheepdog, close } = await openHome();
    const { code, out } = await sheepdog("show", childIdOf("parser"));
    expect([code, out]).toEqual([0, expect.stringContaining("❯ Do parser.")]);
    await close();
  });

  test("has the plans in --json", async () => {
    const { sheepdog, runPrompt, close } = await openHome();
    const { graphs, items } = JSON.parse((await sheepdog("show", "ses_director", "--json")).out);
    expect(graphs).toMatchObject([
      { cycle: 0, diagnosis: expect.stringMatching(/^One run/) },
      { cycle: 1, diagnosis: null },
    ]);
    expect(graphs[0].nodes[4]).toEqual({
      id: "test",
      title: "Run the tests and repair what fails.",
      stage: 3,
      state: "failed",
      isKept: false,
      inputs: [],
      outputs: ["test"],
      tools: null,
      model: null,
      sessionId: childIdOf("test"),
      reason: "max_turns",
      problem: "The tests do not pass: 3 of 40 fail.",
      costUsd: 0.4,
      startedAt: expect.any(String),
      endedAt: expect.any(String),
    });
    expect(graphs[0].edges.slice(3, 6)).toEqual([
      { from: "parser", to: "test", when: "success" },
      { from: "printer", to: "test", when: "success" },
      { from: "test", to: "rollback", when: "failure" },
    ]);
    expect(items.filter(({ nodeId }: { nodeId?: string }) => nodeId === "test")).toMatchObject([
      { type: "plan", severity: "info", text: "Node test started." },
      { type: "plan", severity: "warning" },
    ]);
    const at = expect.stringMatching(/^20\d\d-.+Z$/);
    expect(items[0]).toEqual({ type: "prompt", seq: 1, at, text: "Add the format.", isResumed: false });
    expect(items.at(-1)).toMatchObject({ type: "end", seq: directorEvents.length + 2, at, reason: "cancelled" });
    await runPrompt("ses_a", "Go.", [{ text: "Done." }]);
    expect(JSON.parse((await sheepdog("show", "ses_a", "--json")).out).graphs).toEqual([]);
    await close();
  });

  test("prints only the last plan with --mermaid", async () => {
    const { sheepdog, close } = await openHome();
    const { code, out, err } = await sheepdog("show", "ses_director", "--mermaid");
    expect([code, err, out.split("\n")[0]]).toEqual([0, "", "flowchart TD"]);
    expect(out).toContain('  n5["test-printer#58; Repair the printer until its tests pass.<br>interrupted, #36;0"]\n');
    expect(out).toContain('  n4 -->|"when verdict = #34;ok#34;"| n6\n');
    await close();
  });

  test("refuses --mermaid for a run without a plan, and together with --json", async () => {
    const { sheepdog, runPrompt, close } = await openHome();
    await runPrompt("ses_a", "Go.", [{ text: "Done." }]);
    expect(await sheepdog("show", "ses_a", "--mermaid")).toEqual({
      code: 2,
      out: "",
      err: "sheepdog: --mermaid draws the plan of a director, and this run has none; leave it out\n",
    });
    expect((await sheepdog("show", "ses_director", "--mermaid", "--json")).code).toBe(2);
    await close();
  });
});

test("a node runs while its director runs", async () => {
  const { stores, sheepdog, close } = await openTestHome(await file("home"));
  const startedAt = Date.now() - 60_000;
  await saveDirectorRun(stores, { sessionId: "ses_live", bodies: directorEvents, startedAt, own });
  const { out } = await sheepdog("show", "ses_live");
  expect(out).toMatch(/\n {7}test-printer {4}running /);
  expect(out).toContain("\nRunning (2 turns, $1.06).\n");
  await close();
});

test("nodes are listed like subagents: only with --all, below their director", async () => {
  const { sheepdog, close } = await openHome();
  expect((await sheepdog("runs")).out.match(/^.*run_\w+.*$/gm)).toEqual([expect.stringContaining("Add the format.")]);
  expect((await sheepdog("runs", "--all")).out.match(/└ Do /g)).toHaveLength(7);
  expect(JSON.parse((await sheepdog("runs", "--json")).out).runs).toMatchObject([
    { sessionId: "ses_director", costUsd: 1.06 },
  ]);
  await close();
});

test("the money for judging and planning is shown by purpose", async () => {
  const { sheepdog, close } = await openHome();
  const { out } = await sheepdog("cost", "--by", "purpose");
  expect(out.split("\n").slice(0, 5)).toEqual([
    expect.stringMatching(/^PURPOSE +COST/),
    expect.stringMatching(/^turn +\$0\.750 /),
    expect.stringMatching(/^judge +\$0\.260 /),
    expect.stringMatching(/^plan +\$0\.050 /),
    expect.stringMatching(/^total +\$1\.06 /),
  ]);
  expect((await sheepdog("cost")).out).toMatch(/\nplan +\$0\.050 /);
  await close();
});
