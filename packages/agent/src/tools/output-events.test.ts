import { expect, test } from "vitest";
import type { AgentEventBody } from "../protocol/events.ts";
import { createOutputEvents } from "./output-events.ts";

/** The published texts, and a clock that ends the current interval. */
function setUp() {
  const texts: string[] = [];
  let endInterval: (() => void) | undefined;
  const clock = {
    after(_: number, act: () => void) {
      endInterval = act;
      return () => {
        endInterval = undefined;
      };
    },
  };
  const emit = (event: AgentEventBody) => void (event.type === "ToolOutput" && texts.push(event.text));
  return { texts, events: createOutputEvents("c", clock, emit), passInterval: () => endInterval?.() };
}

test("output is published at once, then once per interval", () => {
  const { texts, events, passInterval } = setUp();
  for (const text of ["a\n", "b\n", "c\n"]) events.push(text);
  expect(texts).toEqual(["a\n"]);
  passInterval();
  expect(texts).toEqual(["a\n", "b\nc\n"]);
  passInterval(); // nothing new: the next output is published at once
  events.push("d\n");
  expect(texts).toEqual(["a\n", "b\nc\n", "d\n"]);
});

test("of a long output, only whole newest lines are published", () => {
  const { texts, events } = setUp();
  events.push(`first\n${"x".repeat(5_000)}\nlast\n`);
  events.push("y".repeat(5_000));
  expect(texts).toEqual(["last\n"]);
});

test("after the call has ended, nothing is published and no timer is left", () => {
  const { texts, events, passInterval } = setUp();
  events.push("a\n");
  events.push("b\n");
  events.stop();
  passInterval();
  events.push("c\n");
  expect(texts).toEqual(["a\n"]);
});

test.each([
  ["in one part", ["key=quiet-\u001b[01;31mshep\u001b[m\u001b[Kherd\n"]],
  ["in two parts", ["key=quiet-\u001b[01;3", "1mshep\u001b[m\u001b[Kherd\n"]],
  ["after its first character", ["key=quiet-\u001b", "[mshepherd\n"]],
  ["as a title", ["key=quiet-\u001b]0;a title", " in parts\u001b", "\\shepherd\n"]],
])("a terminal sequence does not cut a word in two: %s", (_, parts) => {
  const { texts, events, passInterval } = setUp();
  for (const part of parts) {
    events.push(part);
    passInterval();
  }
  expect(texts.join("")).toBe("key=quiet-shepherd\n");
});

test("a part that is only a terminal sequence is not published", () => {
  const { texts, events } = setUp();
  for (const text of ["\u001b[2K", "\u001b[", "1mbold\n"]) events.push(text);
  expect(texts).toEqual(["bold\n"]);
});
