import { setTimeout as sleep } from "node:timers/promises";
import { type AgentEvent, type CostStore, type Goal, memoryStores, type RuntimeOptions } from "@sheepdog/agent";
import { type ScriptedModelOptions, type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { planTurn } from "./director/directed-model.ts";
import { tool } from "./fault-fixture.ts";
import { testRuntime } from "./test-runtime.ts";

const says = (answer: object): ScriptedTurn => ({ text: JSON.stringify(answer) });

/** Refuses the first answer and accepts the second one. */
function retryOnce(): Required<Pick<ScriptedModelOptions, "judge">> {
  let count = 0;
  return { judge: () => says(count++ === 0 ? { verdict: "retry", hint: "Say more." } : { verdict: "accept" }) };
}

type Price = NonNullable<RuntimeOptions["price"]>;
const sonnet: Price = (_model, { input, output }) => input * 3_000 + output * 15_000;
const opus: Price = (_model, { input, output }) => input * 15_000 + output * 75_000;
const constant: Price = () => 1_000;

describe("a short run whose first answer is refused is accepted by its second answer", () => {
  const look = tool("look", "read", async () => "some content of a file. ".repeat(100));
  const fourCallsThenAnswers: ScriptedModelOptions["afterLast"] = ({ prompt }) => {
    const replies = prompt.filter(({ role }) => role === "assistant").length;
    return replies < 4 ? { calls: [{ tool: "look", input: { n: replies } }] } : { text: `Version ${replies}.` };
  };

  test.each<[string, Price, number]>([
    ["of a usual price, limited to 50 cents", sonnet, 500_000_000],
    ["of a usual price, limited to 20 cents", sonnet, 200_000_000],
    ["of a high price, without a limit", opus, 0],
    ["of the same price for every request", constant, 0],
  ])("with a model %s", async (_name, price, stop) => {
    const model = scriptedModel([], { afterLast: fourCallsThenAnswers, ...retryOnce() });
    const policy = { ...defaultPolicy, limits: stop === 0 ? {} : { "run-cost": { stop } } };
    const { runtime } = testRuntime(model, [look], { price, policy });
    const { reason, problem } = await runtime.runWithGoal("ses_1", "Go.", { text: "It is good." }).result;
    expect([reason, problem]).toEqual(["goal_accepted", undefined]);
  });

  test.each<[string, Price]>([
    ["of a usual price", sonnet],
    ["of the same price for every request", constant],
  ])("as a node of a plan, with a model %s", async (_name, price) => {
    const goal: Goal = { text: "The report is written.", criteria: [{ type: "OutputContains", text: "report" }] };
    const plan = planTurn([{ id: "a", goal: { text: "a is good" } }]);
    const model = scriptedModel([], {
      afterLast(request) {
        if (!request.text.includes("<director>")) return fourCallsThenAnswers(request);
        return request.prompt.some(({ role }) => role === "assistant") ? { text: "The report is done." } : plan;
      },
      ...retryOnce(),
    });
    const { runtime } = testRuntime(model, [look], { price });
    const events: AgentEvent[] = [];
    runtime.bus.subscribe((event) => void events.push(event));
    const { reason } = await runtime.runWithDirector("ses_1", "Write the report.", goal).result;
    const ends = events.flatMap((event) => (event.type === "NodeComplete" ? [event.status] : []));
    expect([reason, ends]).toEqual(["goal_accepted", ["succeeded"]]);
  });
});

test("a run that is cancelled while the judge's request is reserved leaves nothing reserved", async () => {
  const stores = memoryStores();
  const reserve: CostStore["reserve"] = async (row, limits) => {
    if (row.purpose === "judge") {
      run.cancel();
      await sleep(50);
    }
    return stores.costs.reserve(row, limits);
  };
  const slowStores = { ...stores, costs: { ...stores.costs, reserve } };
  const { runtime } = testRuntime(scriptedModel([{ text: "Three." }]), [], { price: constant, stores: slowStores });
  const run = runtime.runWithGoal("ses_1", "Count.", { text: "It is counted." });
  expect((await run.result).reason).toBe("cancelled");
  const rows = await stores.costs.rows("ses_1");
  expect(rows.map(({ purpose, costNanoUsd }) => [purpose, costNanoUsd])).toEqual([
    [undefined, 1_000],
    ["judge", 0],
  ]);
});
