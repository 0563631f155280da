import { ok } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { presets } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import { calls, done, reader, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

const usage = { input: 900, output: 100 };

test("when a turn is published as complete, its checkpoint is saved", async () => {
  const script = [calls("read", { path: "a" }), calls("read", { path: "b" }), done];
  const agent = testAgent(scriptedModel(script), [reader().tool]);
  const saved: Promise<number | undefined>[] = [];
  agent.runtime.bus.subscribe((event) => {
    if (event.type === "TurnComplete")
      saved.push(agent.runtime.stores.sessions.load(session).then(({ checkpoint }) => checkpoint?.turn));
  });
  await agent.run();
  expect(await Promise.all(saved)).toEqual([1, 2, 3]);
});

test("every request is published with its tokens and its cost, and the end of the run with their sums", async () => {
  const script = [
    { ...calls("read", { path: "a" }), usage },
    { ...done, usage },
  ];
  const agent = testAgent(scriptedModel(script), [reader().tool]);
  await agent.run();
  const published = agent.events.filter(({ type }) => type === "UsageUpdate" || type === "CostEvent");
  expect(published).toMatchObject([
    { type: "UsageUpdate", usage },
    { type: "CostEvent", costNanoUsd: 1_000_000, totalNanoUsd: 1_000_000 },
    { type: "UsageUpdate", usage },
    { type: "CostEvent", costNanoUsd: 1_000_000, totalNanoUsd: 2_000_000 },
  ]);
  expect(agent.events.at(-1)).toMatchObject({
    type: "RunComplete",
    result: { usage: { input: 1_800, output: 200 }, costNanoUsd: 2_000_000 },
  });
  expect(agent.ledger.map(({ costNanoUsd }) => costNanoUsd)).toEqual([1_000_000, 1_000_000]);
});

test("a run that is stuck by the rule of AAR publishes an error, and its session can be read", async () => {
  const model = scriptedModel([], { afterLast: calls("read", { path: "a" }) });
  const { tool: read, paths } = reader();
  const agent = testAgent(model, [read], { policy: presets.aar });
  expect(await agent.run()).toMatchObject({ state: "error", reason: "doom_loop" });
  expect(agent.events.at(-1)).toMatchObject({ type: "RunError", severity: "error", result: { reason: "doom_loop" } });
  expect(paths).toHaveLength(3); // the fourth equal step is not executed
  const { messages } = await agent.runtime.stores.sessions.load(session);
  expect(messages.filter(({ role }) => role === "assistant")).toHaveLength(4);
});

test.each([
  [0, "answered"],
  [60, "timeout"],
])("a run of hours with a time limit of %i seconds ends as %s", async (maxDurationSecs, reason) => {
  const wait = tool("wait", "read", async ({ path }) => {
    agent.clock.advance(3_600_000);
    return ok(`waited for ${path}`);
  });
  const script = [calls("wait", { path: "a" }), calls("wait", { path: "b" }), done];
  const agent = testAgent(scriptedModel(script), [wait], { settings: { maxDurationSecs } });
  expect((await agent.run()).reason).toBe(reason);
});

test("a reply that is cut off a third time is the answer as far as it goes", async () => {
  const half = (text: string) => ({ text, stop: "length" }) as const;
  const model = scriptedModel([half("One, "), half("two, "), half("three, ")]);
  expect(await testAgent(model).run()).toMatchObject({ reason: "answered", text: "One, two, three, " });
});
