import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { done } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";

const maxTokens = ({ requests }: ReturnType<typeof scriptedModel>) =>
  requests.map(({ options }) => (options as { maxOutputTokens?: number }).maxOutputTokens); // as the AI SDK names it

test("a reply may be as long as the model allows", async () => {
  const model = scriptedModel([done], { modelId: "claude-sonnet-4-5" });
  await testAgent(model).run();
  expect(maxTokens(model)).toEqual([64_000]);
});

test("a long request leaves less of the window for the reply", async () => {
  const model = scriptedModel([done], { modelId: "claude-sonnet-4-5" });
  await testAgent(model).run("sheep went over the hill ".repeat(30_000));
  expect(maxTokens(model)[0]).toBeGreaterThan(10_000);
  expect(maxTokens(model)[0]).toBeLessThan(60_000);
});

test.each(["run-cost", "day-cost"])(
  "a budget (%s) that does not cover the longest reply gets shorter ones",
  async (name) => {
    const model = scriptedModel([done], { modelId: "claude-sonnet-4-5" });
    const limits = { [name]: { stop: 10_000_000 } }; // 10,000 tokens of the test price
    const agent = testAgent(model, [], { policy: { ...defaultPolicy, limits } });
    expect((await agent.run()).reason).toBe("answered");
    expect(maxTokens(model)).toEqual([4_096]);
  },
);

test.each([
  ["run-cost", "run_budget"],
  ["day-cost", "day_budget"],
])(
  "a reply that the budget (%s) cuts off is no answer: it is continued until the budget ends the run",
  async (name, reason) => {
    const words = (reply: number) => Array.from({ length: 1_000 }, (_, index) => (index * 7_919 + reply * 13) % 10_007);
    const replies = Array.from({ length: 20 }, (_, reply) => ({
      text: words(reply).join(" "),
      stop: "length" as const,
    }));
    const model = scriptedModel(replies, { modelId: "claude-sonnet-4-5" });
    const limits = { [name]: { stop: 10_000_000 } }; // 10,000 tokens of the test price
    const settings = { maxTokensRecoveries: 0 };
    const agent = testAgent(model, [], { settings, policy: { ...defaultPolicy, limits } });
    expect((await agent.run()).reason).toBe(reason);
  },
);

test("a reply that the budget cut off, and that was continued to its end, is an answer", async () => {
  const model = scriptedModel([{ text: "One ", stop: "length" }, { text: "two." }], { modelId: "claude-sonnet-4-5" });
  const limits = { "day-cost": { stop: 10_000_000 } };
  const agent = testAgent(model, [], {
    settings: { maxTokensRecoveries: 0 },
    policy: { ...defaultPolicy, limits },
  });
  expect(await agent.run()).toMatchObject({ reason: "answered", text: "One two." });
});

test("a fallback model is not asked for a longer reply than it allows", async () => {
  const first = scriptedModel([], { modelId: "gpt-6-sol", afterLast: { fault: { type: "status", status: 401 } } });
  const second = scriptedModel([done], { modelId: "gpt-4o" });
  expect((await testAgent([first, second]).run()).reason).toBe("answered");
  expect([maxTokens(first), maxTokens(second)]).toEqual([[128_000], [16_384]]);
});
