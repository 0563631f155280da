import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLoopGuard, DEFAULT_THRESHOLD, guardError } from "./llm-rb.ts";

const plain = (name: string, args: unknown = {}) => ({ role: "assistant", toolCalls: [{ name, arguments: args }] });
const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

const dialects: readonly (readonly [string, (name: string, args: object) => unknown])[] = [
  [
    "OpenAI",
    (name, args) => ({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name, arguments: JSON.stringify(args) } }],
    }),
  ],
  [
    "Anthropic",
    (name, args) => ({
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { type: "tool_use", id: "1", name, input: args },
      ],
    }),
  ],
  [
    "AI SDK 5",
    (name, args) => ({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: name, input: args }],
    }),
  ],
  [
    "AI SDK 4",
    (name, args) => ({ role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: name, args }] }),
  ],
  ["plain", plain],
];

describe.each(dialects)("messages of %s", (_, message) => {
  test("the third equal call is warned of", () => {
    const guard = createLoopGuard();
    expect(guard.call({ messages: times(2, message("ls", { path: "." })) })).toBeNull();
    expect(guard.call({ messages: times(3, message("ls", { path: "." })) })).toContain(
      "the same tool call 3 times in a row",
    );
  });

  test("other arguments are another call, another order of keys is not", () => {
    const guard = createLoopGuard();
    expect(guard.call({ messages: [1, 2, 3].map((page) => message("search", { page })) })).toBeNull();
    expect(
      guard.call({
        messages: [message("f", { a: 1, b: 2 }), message("f", { b: 2, a: 1 }), message("f", { a: 1, b: 2 })],
      }),
    ).not.toBeNull();
  });
});

test("a pattern of several calls is found, over messages and within one", () => {
  const guard = createLoopGuard();
  expect(guard.call({ messages: times(4, [plain("edit"), plain("test")]).flat() })).toContain(
    "the same sequence of 2 tool calls 4 times in a row",
  );
  expect(
    guard.call({ messages: [{ role: "assistant", toolCalls: times(3, { name: "ls", arguments: "{}" }) }] }),
  ).not.toBeNull();
});

test("only the assistant's tool calls are looked at", () => {
  const guard = createLoopGuard({ threshold: 2 });
  expect(guard.call({ messages: times(3, { ...plain("ls"), role: "user" }) })).toBeNull();
  expect(
    guard.call({
      messages: [plain("ls"), { role: "user", content: "again" }, { role: "tool", content: "new result" }, plain("ls")],
    }),
  ).not.toBeNull();
});

test("calls that a message holds twice are counted once", () => {
  const message = {
    role: "assistant",
    tool_calls: [{ name: "ls", args: {} }],
    content: [{ type: "tool_use", name: "ls", input: {} }],
  };
  expect(createLoopGuard().call({ messages: times(2, message) })).toBeNull();
});

test("long numbers in JSON text are distinguished", () => {
  const messages = [1, 2, 3].map((last) => plain("get", `{"id":1234567890123456789${last}}`));
  expect(createLoopGuard().call({ messages })).toBeNull();
});

test("arguments that are no JSON are compared as they are", () => {
  expect(createLoopGuard().call({ messages: times(3, plain("sh", '{"cut": "of')) })).not.toBeNull();
});

test("nothing malformed makes it throw", () => {
  const guard = createLoopGuard({ threshold: 2 });
  const junk = fc.oneof(
    fc.anything(),
    fc.record({
      role: fc.constant("assistant"),
      content: fc.anything(),
      tool_calls: fc.anything(),
      toolCalls: fc.array(fc.anything()),
    }),
  );
  fc.assert(fc.property(fc.array(junk), (messages) => void guard.call({ messages })));
  // What JavaScript callers may pass.
  fc.assert(fc.property(fc.anything(), (context) => void guard.call(context as never)));
  expect(
    guard.call({
      messages: [plain("ls"), null, { role: "assistant", tool_calls: [{}, { function: { name: 7 } }] }, plain("ls")],
    }),
  ).not.toBeNull();
});

test("the threshold can be read, and is three by default", () => {
  expect([
    createLoopGuard().threshold,
    createLoopGuard({}).threshold,
    createLoopGuard({ threshold: 5 }).threshold,
  ]).toEqual([DEFAULT_THRESHOLD, 3, 5]);
});

test.each([0, 1, -3, 2.5, Number.NaN, Number.POSITIVE_INFINITY, "3"])(
  "a threshold of %s is refused with what would be right",
  (threshold) => {
    expect(() => createLoopGuard({ threshold: threshold as number })).toThrow(
      `whole number from 2 up (1 would block every call), got ${threshold}.`,
    );
  },
);

test("a pending call is answered in band", () => {
  expect(guardError("Not executed.")).toEqual({ error: true, type: "GuardError", message: "Not executed." });
});
