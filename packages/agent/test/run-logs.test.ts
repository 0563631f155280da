import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failed, readRunLog } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, onTestFinished, test } from "vitest";
import { calls, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

/** The log of a run that fails in circles until its budget is spent. Its first call takes three minutes. */
async function logOf(level: 1 | 2 | 3) {
  const dir = await mkdtemp(join(tmpdir(), "sheepdog-logs-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const usage = { input: 900, output: 100 };
  const model = scriptedModel([], { afterLast: { text: "Once more.", ...calls("look", { at: "hill" }), usage } });
  const look = tool("look", "read", async () => {
    if (agent.count("ToolStart") === 1) agent.clock.advance(180_000);
    return failed("Error: there is no such hill");
  });
  const agent = testAgent(model, [look], {
    log: { dir, level },
    policy: { ...defaultPolicy, limits: { "run-tokens": { warn: 3_500, stop: 9_000 } } },
  });
  const run = agent.runtime.run(session, "Look.");
  await agent.check(run);
  return (await readRunLog({ dir, sessionId: session, runId: run.runId })).lines;
}

test("level 1 has session, prompt, result, cost and duration", async () => {
  const lines = await logOf(1);
  expect(lines.map(({ type }) => type)).toEqual(["RunStarted", "RunError"]);
  expect(lines[0]).toMatchObject({ sessionId: session, prompt: "Look." });
  expect(lines[1]).toMatchObject({
    durationMs: expect.any(Number),
    result: { reason: "token_budget", costNanoUsd: 7_000_000 },
  });
});

test("level 2 has the text, the calls and the tokens of each turn", async () => {
  const turns = (await logOf(2)).flatMap((line) => (line.type === "TurnComplete" ? [line.reply] : []));
  expect(turns[0]).toEqual({
    text: "Once more.",
    calls: [{ callId: expect.any(String), tool: "look", input: { at: "hill" }, status: "error" }],
    usage: [{ input: 900, output: 100, cacheRead: 0, cacheWrite: 0, isEstimated: false }],
  });
  expect(turns.at(-1)?.calls).toMatchObject([{ status: "denied" }]);
});

test.each([2, 3] as const)("level %i has the guardian's events under their names", async (level) => {
  const types = new Set((await logOf(level)).map(({ type }) => type));
  const guardian = ["GuardianIntervention", "GuardianHint", "GuardianDoomLoop", "GuardianStall", "GuardianBudgetAlert"];
  for (const name of [...guardian, "BudgetWarning", "BudgetExceeded"]) expect(types).toContain(name);
});

test("level 3 has the decision about each call, its input, its output and its time", async () => {
  const lines = await logOf(3);
  const calls = lines.filter(({ type }) => type === "GateDecision" || type === "ToolStart" || type === "ToolEnd");
  expect(calls.slice(0, 3)).toMatchObject([
    { type: "GateDecision", tool: "look", tier: 0, decision: "allow", reason: "a test" },
    { type: "ToolStart", tool: "look", input: { at: "hill" } },
    { type: "ToolEnd", tool: "look", status: "error", content: "Error: there is no such hill" },
  ]);
  const times = calls.flatMap((line) => (line.type === "ToolEnd" ? [Math.round(line.ms / 1_000)] : []));
  expect(times.slice(0, 2)).toEqual([180, 0]);
});
