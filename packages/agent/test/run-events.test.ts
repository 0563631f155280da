import { memoryStores, type RuntimeOptions } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { presets } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import { calls, done, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

const started = async (options: Partial<RuntimeOptions>) => {
  const agent = testAgent(scriptedModel([done]), [], options);
  await agent.run();
  return agent.events.find(({ type }) => type === "RunStarted");
};

test("the first event of a run says which limits are in force, what the guardian may do, and who watches", async () => {
  const policy = {
    ...presets.strict,
    mode: "advise",
    limits: { "run-cost": { warn: 4, stop: 5e9 }, turns: { stop: 0 } },
  } as const;
  expect(await started({ policy, attended: true, settings: { maxContextTokens: 50_000 } })).toMatchObject({
    prompt: "Go.",
    limits: { "run-cost": { warn: 4, stop: 5e9 }, time: { stop: expect.any(Number) } },
    mode: "advise",
    preset: "strict",
    isAttended: true,
    model: "scripted",
    maxContextTokens: 50_000,
  });
  const event = await started({ policy });
  expect(event?.type === "RunStarted" && event.limits).not.toHaveProperty("turns");
});

test("a message of the user is an event where the conversation gets it, and none follows the last event", async () => {
  const look = tool("look", "read", async () => String(await run.steer("Hurry.")));
  const agent = testAgent(scriptedModel([calls("look", {}), done]), [look]);
  agent.runtime.bus.subscribe((event) => {
    if (event.type === "TurnComplete" && event.turn === 1) void run.steer("Too late.");
  });
  const run = agent.runtime.run(session, "Go.");
  await agent.check(run);
  const types = agent.types().filter((type) => ["ToolEnd", "UserMessage", "TurnComplete"].includes(type));
  expect(types).toEqual(["ToolEnd", "UserMessage", "TurnComplete", "TurnComplete"]);
  expect(agent.events.at(-1)?.type).toBe("RunComplete");
});

test("before a call with side effects, the events so far are saved, with the start of the first call", async () => {
  const stores = memoryStores();
  let saved: readonly string[] = [];
  const write = tool("write", "mutate", async () => {
    saved = (await stores.events.after(session, 0)).map(({ type }) => type);
    return "done";
  });
  await testAgent(scriptedModel([{ text: "I write.", ...calls("write", { a: 1 }) }, done]), [write], { stores }).run();
  expect(saved[0]).toBe("RunStarted");
  expect(saved.slice(-2)).toEqual(["GateDecision", "ToolStart"]);
  expect(saved).toContain("StreamEnd");
});
