import { expect, test } from "vitest";
import { tailStart, toSegments } from "./segments.ts";
import { call, reply, result, user } from "./testing/message-builders.ts";

const messages = [
  user("u1", "hi"),
  reply("r1", [call("a"), call("b")]),
  result("a", "A"),
  result("b", "B"),
  user("notice", "careful", "guardian"),
  user("nudge", "continue", "automatic"),
  reply("r2", []),
];

test("a reply, its results and the guardian's notices about them are one segment", () => {
  expect(toSegments(messages).map((segment) => segment.map(({ id }) => id))).toEqual([
    ["u1"],
    ["r1", "result:a", "result:b", "notice"],
    ["nudge"],
    ["r2"],
  ]);
});

test("a tail of at least minTail messages begins with a segment", () => {
  const segments = toSegments(messages);
  expect([0, 1, 2, 3, 6, 7, 99].map((minTail) => tailStart(segments, minTail))).toEqual([4, 3, 2, 1, 1, 0, 0]);
});
