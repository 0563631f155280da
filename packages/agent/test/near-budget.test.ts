import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { calls, done, reader } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

const usage = { input: 900, output: 100 };
const script = [0, 1, 2].map((index) => ({ ...calls("read", { path: `${index}` }), usage }));

const agentWith = (settings: object, limits: object) => {
  const model = scriptedModel([...script, { ...done, usage: { input: 10, output: 10 } }]);
  const agent = testAgent(model, [reader().tool], { settings, policy: { ...defaultPolicy, limits } });
  return { agent, model };
};
const note = "Very little of the budget of this run is left.";

test("near the end of a budget, the run says so and the agent is told once to finish", async () => {
  const { agent, model } = agentWith({ reserveTokens: 4_000 }, { "run-tokens": { stop: 6_000 } });
  const run = agent.runtime.run(session, "Go.");
  const near: boolean[] = [];
  agent.runtime.bus.subscribe((event) => void (event.type === "TurnStarted" && near.push(run.nearBudget())));
  expect((await agent.check(run)).reason).toBe("answered");
  expect(near).toEqual([false, false, true, true]);
  expect(model.requests.map(({ text }) => text.split(note).length - 1)).toEqual([0, 0, 1, 1]);
});

test("the last request that a limit covers is told to finish, and no other is sent", async () => {
  const limits = [{ "run-tokens": { stop: 3_500 } }, { "run-cost": { stop: 3_500_000 } }]; // 1,000 nano-dollars a token
  for (const limit of limits) {
    const { agent, model } = agentWith({}, limit);
    expect(["token_budget", "run_budget"]).toContain((await agent.run()).reason);
    expect(model.requests.map(({ text }) => text.includes(note))).toEqual([false, true]);
  }
});

test("with the defaults, a rest that covers one more request, or a tenth of the money, is little", async () => {
  const tokens = agentWith({}, { "run-tokens": { stop: 5_500 } });
  await tokens.agent.run();
  expect(tokens.model.requests.map(({ text }) => text.includes(note))).toEqual([false, false, false, true]);
  const money = agentWith({}, { "run-cost": { stop: 5_500_000 } });
  await money.agent.run();
  expect(money.model.requests.map(({ text }) => text.includes(note))).toEqual([false, false, false, true]);
});

test("without a budget, nothing is near", async () => {
  const { agent, model } = agentWith({}, {});
  await agent.run();
  expect(model.requests.some(({ text }) => text.includes(note))).toBe(false);
});
