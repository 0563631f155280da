import { expect, test } from "vitest";
import type { Message } from "../protocol/messages.ts";
import { createContextBudget } from "./context-budget.ts";
import { call, recordingCounter, reply, result, user } from "./testing/message-builders.ts";
import { createTokenCounter } from "./token-counter.ts";

const tools = [{ name: "read", description: "reads", inputSchema: { type: "object" as const } }];
const setUp = () => {
  const counter = recordingCounter(createTokenCounter());
  return { counter, budget: createContextBudget({ maxTokens: 1_000, counter }) };
};

test("without usage reported by a provider, everything is counted: system, tools, messages", () => {
  const { budget, counter } = setUp();
  const json = JSON.stringify(tools);
  const tokens = 5 + Math.ceil(json.length / 4) + 4 + 3;
  expect(budget.measure([user("u", "twelve chars")], "a system of 20 chars", tools)).toEqual({
    tokens,
    counted: tokens,
    percent: tokens / 10,
  });
  expect(counter.counted).toEqual(["text", "text", "u"]);
});

test("the usage reported with the newest reply covers everything up to it, and only the rest is counted", () => {
  const { budget, counter } = setUp();
  const messages = [
    user("u", "hi"),
    reply("r1", [call("c1")], 300),
    result("c1", "x".repeat(40)),
    reply("r2", [call("c2")], 500),
    result("c2", "x".repeat(40)),
  ];
  expect(budget.measure(messages, "system", tools)).toEqual({ tokens: 522, counted: 22, percent: 52.2 });
  expect(counter.counted).toEqual(["result:c2"]);
});

test.each([
  ["estimated", { isEstimated: true, input: 500 }],
  ["zero", { input: 0 }],
  ["not a number", { input: Number.NaN }],
  ["negative", { input: 5, output: -1 }],
  ["absurd", { input: 1e18 }],
])("reported usage that is %s is not used (FAULTS 43)", (_, wrong) => {
  const { budget } = setUp();
  const last = reply("r", [{ type: "text", text: "done" }], 1);
  const messages = [user("u", "hi"), { ...last, usage: { ...last.usage, ...wrong } }];
  const { tokens, counted } = budget.measure(messages, "", []);
  expect(tokens).toBe(counted);
  expect(tokens).toBeLessThan(20);
});

test("a compacted history is not taken to be as short as its newest reply reports (FAULTS 54)", () => {
  const { budget } = setUp();
  const long = "x".repeat(4_000);
  const messages = [
    user("u", long),
    reply("r1", [call("c1")], 1_100),
    result("c1", long),
    reply("r2", [{ type: "text", text: "done" }], 400),
  ];
  expect(budget.total(messages, "", [])).toBeGreaterThan(2_000);
});

test("figures that are far too small are not used: the messages are counted", () => {
  const { budget } = setUp();
  const messages = [user("u", "x".repeat(100_000)), reply("r", [{ type: "text", text: "done" }], 1)];
  const { tokens, counted } = budget.measure(messages, "", []);
  expect([tokens > 20_000, counted]).toEqual([true, tokens]);
});

test("figures that are small but possible are used: lines of dashes have few tokens", () => {
  const { budget } = setUp();
  const messages = [user("u", `${"-".repeat(118)}\n`.repeat(300)), reply("r", [{ type: "text", text: "done" }], 600)];
  expect(budget.measure(messages, "", [])).toMatchObject({ tokens: 600, counted: 0 });
});

test.each([true, false])(
  "a turn costs the same after 10 turns and after 500, with reported usage: %s",
  (isReported) => {
    const { budget, counter } = setUp();
    const messages: Message[] = [user("u", "go")];
    const countedPerTurn: number[] = [];
    for (let turn = 0; turn < 500; turn += 1) {
      budget.total(messages, "system", tools);
      messages.push(
        reply(`r${turn}`, [call(`c${turn}`)], isReported ? 100 + 40 * turn : undefined),
        result(`c${turn}`, "ok"),
      );
      const before = counter.counted.length;
      budget.total([...messages], "system", tools);
      countedPerTurn.push(counter.counted.length - before);
    }
    expect(new Set(countedPerTurn)).toEqual(new Set([isReported ? 1 : 2]));
  },
);

test("continuing a measurement gives the same total as measuring from the start", () => {
  const { budget, counter } = setUp();
  const messages: Message[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    messages.push(reply(`r${turn}`, [call(`c${turn}`)]), result(`c${turn}`, "x".repeat(turn * 7)));
    expect(budget.total(messages, "system", tools)).toBe(
      createContextBudget({ maxTokens: 1_000, counter }).total(messages, "system", tools),
    );
  }
});

test("estimates are replaced once exact counts are available", async () => {
  const counter = createTokenCounter({ loadEncoding: async () => (text) => text.length });
  const budget = createContextBudget({ maxTokens: 1_000, counter });
  const messages = [user("u", "x".repeat(100))];
  expect(budget.total(messages, "", [])).toBe(29);
  await counter.load();
  expect(budget.total(messages, "", [])).toBe(104);
});

test.each([-1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])(
  "a context of %s tokens is refused with a sentence (FAULTS 60)",
  (maxTokens) => {
    expect(() => createContextBudget({ maxTokens, counter: createTokenCounter() })).toThrow(
      /whole number of tokens, such as 32000, or 0/,
    );
  },
);
