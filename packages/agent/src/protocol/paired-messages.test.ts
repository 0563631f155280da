import { expect, test } from "vitest";
import { call, conversation, pairingProblem, reply, result, user } from "../context/testing/message-builders.ts";
import { pairCalls } from "./paired-messages.ts";

test("a history in order is given back as it is", () => {
  const messages = conversation(3, 5);
  expect(pairCalls(messages)).toBe(messages);
});

test("a call without a result is told as unknown, where the result would be", () => {
  const messages = [user("u", "hi"), reply("r", [call("a"), call("b")]), result("b", "B"), user("again", "and?")];
  const settled = pairCalls(messages);
  expect(settled.map(({ id }) => id)).toEqual(["u", "r", "result:b", "unknown:a", "again"]);
  expect(settled[3]).toMatchObject({ status: "interrupted", content: expect.stringContaining("outcome is unknown") });
});

test("results go behind their calls; results of nothing and second results are left out", () => {
  const messages = [
    result("x", "orphan"),
    reply("r1", [call("a")]),
    user("u", "wait"),
    result("a", "A"),
    result("a", "A again"),
    reply("r2", []),
  ];
  const settled = pairCalls(messages);
  expect(settled.map(({ id }) => id)).toEqual(["r1", "result:a", "u", "r2"]);
  expect(settled[1]).toMatchObject({ content: "A" });
  expect(pairingProblem(settled)).toBeUndefined();
});

test("a list that was in order is looked at again where it grew, and where it is another one", () => {
  const messages = [...conversation(3, 5)];
  expect(pairCalls(messages)).toBe(messages);
  const unanswered = [...messages, reply("r", [call("open")])];
  expect(pairCalls(unanswered).map(({ id }) => id)).toEqual([...messages.map(({ id }) => id), "r", "unknown:open"]);
  const answered = [...unanswered, result("open", "late")];
  expect(pairCalls(answered)).toBe(answered);
  const withoutResult = answered.filter(({ id }) => id !== "result:call1");
  expect(pairCalls(withoutResult).map(({ id }) => id)).toContain("unknown:call1");
  expect(pairCalls([...answered, result("open", "twice")]).map(({ id }) => id)).toEqual(answered.map(({ id }) => id));
});

test("a list that is changed in its place after it was found in order is looked at anew", () => {
  const messages = [...conversation(3, 5)];
  pairCalls(messages);
  messages.splice(2, 1); // the first result
  expect(pairCalls(messages).map(({ id }) => id)).toContain("unknown:call0");
});
