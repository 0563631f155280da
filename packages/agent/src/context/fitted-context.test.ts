import { describe, expect, test } from "vitest";
import { callsOf, type Message } from "../protocol/messages.ts";
import { createContextBudget } from "./context-budget.ts";
import { fitContext } from "./fitted-context.ts";
import type { StrategyName } from "./strategies/strategy.ts";
import { fitOptions } from "./testing/fit-options.ts";
import {
  call,
  conversation,
  pairingProblem,
  recordingCounter,
  reply,
  result,
  user,
} from "./testing/message-builders.ts";
import { createTokenCounter } from "./token-counter.ts";

const compacting: readonly StrategyName[] = ["summarize", "sliding_window", "compact"];

const ids = (messages: readonly Message[]): readonly string[] => messages.map(({ id }) => id);
const last = (messages: readonly Message[]): Message | undefined => messages.at(-1);

test("below 85 % the messages are sent as they are", async () => {
  const messages = conversation(5, 200);
  const fitted = await fitContext(fitOptions(messages));
  expect(fitted).toEqual({
    messages,
    before: fitted.before,
    after: fitted.before,
    percent: fitted.before / 20,
    isCompacted: false,
  });
  expect(fitted.messages).toBe(messages);
});

test("the tokenizer is loaded only if an estimate could be wrong about the limit", async () => {
  let loads = 0;
  const loadEncoding = async () => {
    loads += 1;
    return (text: string) => Math.ceil(text.length / 4);
  };
  await fitContext(
    fitOptions(conversation(3, 200), { counter: createTokenCounter({ loadEncoding }), maxTokens: 32_000 }),
  );
  expect(loads).toBe(0);
  await fitContext(fitOptions(conversation(3, 200), { counter: createTokenCounter({ loadEncoding }), maxTokens: 600 }));
  expect(loads).toBe(1);
});

test("dense text that an estimate takes for small is recognised as too large", async () => {
  const noise = Array.from({ length: 600 }, (_, index) => ((index * 2_654_435_761) >>> 0).toString(36)).join("/");
  const messages = [...conversation(1, 5), reply("r", [call("c")]), result("c", noise), ...conversation(4, 2).slice(1)];
  expect(
    (await fitContext(fitOptions(messages, { counter: createTokenCounter(), maxTokens: 1_900 }))).isCompacted,
  ).toBe(true);
});

describe.each(compacting)("%s", (strategy) => {
  test("brings the context from above 85 % to 60 % and leaves the history as it was", async () => {
    const messages = conversation(30, 200);
    const copy = structuredClone(messages);
    const fitted = await fitContext(fitOptions(messages, { strategy }));
    expect(fitted.before).toBeGreaterThan(2_000);
    expect(fitted.percent).toBeLessThanOrEqual(60);
    expect(fitted.isCompacted).toBe(true);
    expect(pairingProblem(fitted.messages)).toBeUndefined();
    expect(messages).toEqual(copy);
  });

  test("leaves room for several turns before it is needed again", async () => {
    let messages: readonly Message[] = conversation(30, 200);
    const compactions: boolean[] = [];
    for (let turn = 100; turn < 112; turn += 1) {
      const fitted = await fitContext(fitOptions(messages, { strategy }));
      compactions.push(fitted.isCompacted);
      messages = [...fitted.messages, reply(`r${turn}`, [call(`c${turn}`)]), result(`c${turn}`, "new ".repeat(100))];
    }
    expect(compactions.filter(Boolean).length).toBeLessThanOrEqual(4);
    expect(compactions.slice(0, 3)).toEqual([true, false, false]);
  });

  test("keeps the newest message of a person wherever it is, and at least six messages", async () => {
    const fitted = await fitContext(fitOptions(conversation(40, 150), { strategy }));
    expect(ids(fitted.messages)).toContain("prompt");
    expect(ids(fitted.messages).slice(-6)).toEqual([
      "reply37",
      "result:call37",
      "reply38",
      "result:call38",
      "reply39",
      "result:call39",
    ]);
  });

  test("keeps a scheduled prompt that is newer than any message of a person", async () => {
    const messages = [
      ...conversation(2, 5),
      user("beat", "check the mail", "scheduled"),
      ...conversation(40, 100).slice(1),
    ];
    expect(ids((await fitContext(fitOptions(messages, { strategy }))).messages)).toContain("beat");
  });

  test("keeps the guardian's notices of the turns it keeps, behind their results (trap 12)", async () => {
    const messages = conversation(30, 200).flatMap((message): readonly Message[] =>
      message.role === "tool"
        ? [message, user(`notice:${message.callId}`, "<sheepdog-notice>slow down</sheepdog-notice>", "guardian")]
        : [message],
    );
    const sent = (await fitContext(fitOptions(messages, { strategy }))).messages;
    const calls = sent.flatMap((message) => (message.role === "assistant" ? callsOf(message).map(({ id }) => id) : []));
    expect(ids(sent).filter((id) => id.startsWith("notice:"))).toEqual(calls.map((id) => `notice:${id}`));
  });

  test("a result too large for the window is shortened and says so; the turn it belongs to stays whole", async () => {
    const messages = [
      user("prompt", "read it"),
      reply("r", [call("c")]),
      result("c", `BEGIN ${"x ".repeat(50_000)} END`),
    ];
    const fitted = await fitContext(fitOptions(messages, { strategy }));
    expect(ids(fitted.messages)).toEqual(["prompt", "r", "result:c"]);
    expect(fitted.percent).toBeLessThanOrEqual(85);
    expect(last(fitted.messages)).toMatchObject({
      content: expect.stringMatching(/^BEGIN [\s\S]*characters left out to fit the context[\s\S]* END$/),
    });
  });

  test("a prompt too large for the window is not cut: the result says how much room is missing", async () => {
    const messages = [user("prompt", "some words ".repeat(10_000))];
    const fitted = await fitContext(fitOptions(messages, { strategy }));
    expect(fitted).toMatchObject({ messages, isCompacted: false, overflow: { roomTokens: expect.any(Number) } });
    expect(fitted.overflow?.promptTokens).toBeGreaterThan(10_000);
    expect(fitted.overflow?.neededTokens).toBeGreaterThan(fitted.overflow?.promptTokens ?? 0);
  });

  test("everything that a person wrote in this run stays whole, and older prompts give way", async () => {
    const messages = [
      user("old", "older words ".repeat(500), "person", 1),
      ...conversation(30, 200),
      user("prompt", "first words ".repeat(200), "person", 100),
      reply("r", [call("c")]),
      result("c", "x ".repeat(2_000)),
      user("steering", "more words ".repeat(200), "person", 101),
    ];
    const fitted = await fitContext(fitOptions(messages, { strategy, runStartedAt: 100 }));
    expect(fitted.overflow).toBeUndefined();
    expect(fitted.percent).toBeLessThanOrEqual(85);
    const texts = new Map(fitted.messages.map((message) => [message.id, message.role === "user" ? message.text : ""]));
    expect(texts.get("prompt")).toBe("first words ".repeat(200));
    expect(texts.get("steering")).toBe("more words ".repeat(200));
    expect(texts.get("old") ?? "").not.toBe("older words ".repeat(500));
  });

  test("fitting again changes nothing, though replies report an older usage (FAULTS 30)", async () => {
    const messages = conversation(30, 200).map((message, index) =>
      message.role === "assistant"
        ? { ...message, usage: { ...message.usage, input: 100 + index * 60, isEstimated: false } }
        : message,
    );
    const budget = createContextBudget({ maxTokens: 2_000, counter: createTokenCounter() });
    const once = await fitContext(fitOptions(messages, { strategy, budget }));
    const twice = await fitContext(fitOptions(once.messages, { strategy, budget }));
    expect([once.isCompacted, twice.isCompacted]).toEqual([true, false]);
    expect(twice.messages).toEqual(once.messages);
  });

  test("a request refused as too long is compacted below its counted size (FAULTS 30)", async () => {
    const messages = conversation(10, 100);
    const fitted = await fitContext(fitOptions(messages, { strategy, maxTokens: 32_000, isRefused: true }));
    expect(fitted.before).toBeLessThan(2_000);
    expect(fitted.isCompacted).toBe(true);
    expect(fitted.after).toBeLessThanOrEqual(fitted.before * 0.85);
  });

  test("a model that counts more tokens than we do gets the room it needs", async () => {
    const half = conversation(13, 200);
    const messages = half.map((message, index) =>
      index === half.length - 2 ? { ...reply(message.id, [call("call12")], 3_000) } : message,
    );
    const fitted = await fitContext(fitOptions(messages, { strategy, maxTokens: 3_000 }));
    const ours = createContextBudget({ maxTokens: 3_000, counter: createTokenCounter() }).total(
      fitted.messages,
      "You are an agent.",
      [],
    );
    expect(fitted.after).toBeGreaterThan(ours * 1.5);
    expect(fitted.percent).toBeLessThanOrEqual(60);
  });
});

test("a system text larger than the context neither throws nor drops the newest turn", async () => {
  const fitted = await fitContext(fitOptions(conversation(10, 50), { system: "s".repeat(10_000) }));
  expect(fitted.percent).toBeGreaterThan(100);
  expect(ids(fitted.messages)).toContain("reply9");
  expect(pairingProblem(fitted.messages)).toBeUndefined();
});

test("of a long history that was just loaded, only what could be sent is counted exactly", async () => {
  const counted: number[] = [];
  const loadEncoding = async () => (text: string) => {
    counted.push(text.length);
    return Math.ceil(text.length / 4);
  };
  await fitContext(fitOptions(conversation(2_000, 200), { counter: createTokenCounter({ loadEncoding }) }));
  expect(counted.reduce((sum, length) => sum + length, 0)).toBeLessThan(60_000);
});

test("with one budget for the run a fit counts only what is new, after 10 turns and after 200", async () => {
  const counter = recordingCounter(createTokenCounter());
  const budget = createContextBudget({ maxTokens: 1_000_000, counter });
  const countedPerTurn: number[] = [];
  const messages: Message[] = [user("prompt", "go")];
  for (let turn = 0; turn < 200; turn += 1) {
    const before = counter.counted.length;
    const fitted = await fitContext(fitOptions(messages, { counter, budget, maxTokens: 1_000_000 }));
    countedPerTurn.push(counter.counted.length - before);
    expect(fitted.isCompacted).toBe(false);
    messages.push(reply(`r${turn}`, [call(`c${turn}`)]), result(`c${turn}`, "ok"));
  }
  expect(new Set(countedPerTurn.slice(1))).toEqual(new Set([2]));
});

test.each([
  [{ maxTokens: -1 }, /maxTokens must be a whole number/],
  [{ minTail: -1 }, /minTail must be a whole number/],
])("%o is refused with a sentence (FAULTS 60)", async (wrong, sentence) => {
  await expect(fitContext(fitOptions([], wrong))).rejects.toThrow(sentence);
});

test("a context of 0 tokens is not managed: everything is sent, also after a refusal", async () => {
  const messages = conversation(30, 200);
  for (const isRefused of [false, true])
    expect(await fitContext(fitOptions(messages, { maxTokens: 0, isRefused }))).toMatchObject({
      messages,
      percent: 0,
      isCompacted: false,
    });
});

test("an empty list of messages is accepted", async () => {
  expect((await fitContext(fitOptions([], { isRefused: true }))).messages).toEqual([]);
});
