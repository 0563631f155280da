import { expect, test } from "vitest";
import { call, conversation, pairingProblem, reply, result, user } from "../context/testing/message-builders.ts";
import { createMessageCache } from "./message-cache.ts";
import { pairCalls } from "./paired-messages.ts";

test("a history in order is returned as it is", () => {
  const messages = conversation(3, 5);
  expect(pairCalls(messages)).toBe(messages);
});

test("a call without a result is reported as unknown, in the place of its result", () => {
  const messages = [user("u", "hi"), reply("r", [call("a"), call("b")]), result("b", "B"), user("again", "and?")];
  const paired = pairCalls(messages);
  expect(paired.map(({ id }) => id)).toEqual(["u", "r", "unknown:a", "result:b", "again"]);
  expect(paired[2]).toMatchObject({ status: "interrupted", content: expect.stringContaining("Outcome unknown") });
});

test("a call that could not be read and has no result is answered with its problem", () => {
  const broken = { ...call("a"), input: undefined, problem: "The reply broke off" };
  expect(pairCalls([reply("r", [broken])])[1]).toMatchObject({ callId: "a", content: "The reply broke off" });
});

test("results move behind their calls; results without a call and second results are dropped", () => {
  const messages = [
    result("x", "orphan"),
    reply("r1", [call("a")]),
    user("u", "wait"),
    result("a", "A"),
    result("a", "A again"),
    reply("r2", []),
  ];
  const paired = pairCalls(messages);
  expect(paired.map(({ id }) => id)).toEqual(["r1", "result:a", "u", "r2"]);
  expect(paired[1]).toMatchObject({ content: "A" });
  expect(pairingProblem(paired)).toBeUndefined();
});

test("with one cache, a list in order is checked again where it grew, and where it is another list", () => {
  const cache = createMessageCache();
  const messages = [...conversation(3, 5)];
  expect(pairCalls(messages, cache)).toBe(messages);
  const unanswered = [...messages, reply("r", [call("open")])];
  expect(pairCalls(unanswered, cache).map(({ id }) => id)).toEqual([
    ...messages.map(({ id }) => id),
    "r",
    "unknown:open",
  ]);
  const answered = [...unanswered, result("open", "late")];
  expect(pairCalls(answered, cache)).toBe(answered);
  const withoutResult = answered.filter(({ id }) => id !== "result:call1");
  expect(pairCalls(withoutResult, cache).map(({ id }) => id)).toContain("unknown:call1");
  expect(pairCalls([...answered, result("open", "twice")], cache).map(({ id }) => id)).toEqual(
    answered.map(({ id }) => id),
  );
});

test("with one cache, a list that is changed in place is checked from its start", () => {
  const cache = createMessageCache();
  const messages = [...conversation(3, 5)];
  pairCalls(messages, cache);
  messages.splice(2, 1); // the first result
  expect(pairCalls(messages, cache).map(({ id }) => id)).toContain("unknown:call0");
});
