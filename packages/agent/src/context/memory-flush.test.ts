import { expect, test } from "vitest";
import { createFlushWatch, planMemoryFlush, readFlushReply } from "./memory-flush.ts";
import { call, conversation, pairingProblem, reply } from "./testing/message-builders.ts";
import { createTokenCounter } from "./token-counter.ts";

const counter = createTokenCounter();
const plan = (turns: number, maxTokens: number) =>
  planMemoryFlush({
    messages: conversation(turns, 100),
    system: "You are an agent.",
    tools: [],
    maxTokens,
    counter,
    id: "flush1",
    at: 5,
  });

test("a flush is due once above 85 %, and again only after the context was emptier", () => {
  const watch = createFlushWatch();
  expect([80, 85, 86, 90, 99, 60, 84, 87].map((percent) => watch.isDue(percent))).toEqual([
    false,
    false,
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test("the flush adds one internal message to the conversation and may write to memory only", () => {
  const flush = plan(10, 2_000);
  expect(flush.messages.slice(0, -1)).toEqual(conversation(10, 100));
  expect(flush.messages.at(-1)).toMatchObject({
    id: "flush1",
    at: 5,
    role: "user",
    origin: "automatic",
    reason: "memory_flush",
  });
  expect([flush.allowedTools, flush.maxOutputTokens]).toEqual([["memory_write"], 200]);
});

test("a conversation too large for the context is compacted for the flush, with room for the reply", () => {
  const flush = plan(200, 2_000);
  const tokens = flush.messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  expect(tokens + flush.maxOutputTokens).toBeLessThan(2_000);
  expect(pairingProblem(flush.messages)).toBeUndefined();
});

test("only valid calls of memory_write are executed, at most twenty", () => {
  const write = (id: string) => call(id, { text: "a fact" }, "memory_write");
  const broken = { ...write("broken"), input: undefined, problem: "no JSON" };
  expect(
    readFlushReply(reply("r", [{ type: "text", text: "ok" }, write("a"), call("b", {}, "bash"), broken, write("c")])),
  ).toEqual({
    calls: [write("a"), write("c")],
    refused: 2,
  });
  const many = Array.from({ length: 25 }, (_, index) => write(`${index}`));
  expect(readFlushReply(reply("r", many))).toEqual({ calls: many.slice(0, 20), refused: 5 });
  expect(readFlushReply(reply("r", [{ type: "text", text: "nothing" }]))).toEqual({ calls: [], refused: 0 });
});

test.each(["length", "incomplete", "interrupted", "refused"] as const)(
  "no call of a reply that ended as %s is executed (FAULTS 34)",
  (stop) => {
    const cut = { ...reply("r", [call("a", { text: "half a fa" }, "memory_write")]), stop };
    expect(readFlushReply(cut)).toMatchObject({ calls: [], refused: 1, problem: expect.stringContaining(stop) });
  },
);

test("the guardian's warning leads to a flush, once for each time the context fills up", () => {
  const watch = createFlushWatch();
  expect(watch.isDue(82)).toBe(false); // no warning yet
  expect(watch.isDue(83, 80)).toBe(true);
  expect(watch.isDue(84, 80)).toBe(false);
  expect(watch.isDue(90, 80)).toBe(false); // flushed since the warning
  expect(watch.isDue(60, 80)).toBe(false);
  expect(watch.isDue(81, 80)).toBe(true);
});

test("a context that fills up without a warning is flushed before it is compacted", () => {
  expect(createFlushWatch().isDue(86)).toBe(true);
  expect(createFlushWatch().isDue(86, 95)).toBe(true);
});
