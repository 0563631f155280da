import fc from "fast-check";
import { expect, test } from "vitest";
import { createMessageCache } from "../protocol/message-cache.ts";
import type { AssistantMessage, Message, ReplyPart, ResultMessage, UserMessage } from "../protocol/messages.ts";
import { toPrompt } from "./prompt.ts";

let count = 0;
const user = (text: string): UserMessage => ({ role: "user", id: `m${count++}`, at: 0, origin: "person", text });
const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const reply = (...parts: ReplyPart[]): AssistantMessage => ({
  role: "assistant",
  id: `m${count++}`,
  at: 0,
  parts,
  stop: "calls",
  model: "m",
  usage,
});
const call = (id: string, input: Record<string, unknown> | undefined = {}): ReplyPart => ({
  type: "call",
  id,
  tool: "read",
  input,
});
const result = (callId: string, content: string, status: ResultMessage["status"] = "ok"): ResultMessage => ({
  role: "tool",
  id: `m${count++}`,
  at: 0,
  callId,
  tool: "read",
  status,
  content,
});
const promptOf = (...messages: Message[]) =>
  toPrompt({ system: "", messages }).map(({ role, content }) => ({ role, content }));
const resultPart = (toolCallId: string, value: unknown, type = "text") => ({
  type: "tool-result",
  toolCallId,
  toolName: "read",
  output: { type, value },
});
const callPart = (toolCallId: string, input: unknown = {}) => ({
  type: "tool-call",
  toolCallId,
  toolName: "read",
  input,
});

test("no part of a conversation has a lone surrogate", () => {
  const signed = { anthropic: { signature: "sig" } };
  const messages = [
    user("cut \ud83d"),
    reply(
      { type: "thinking", text: "cut \ud83d", providerMetadata: signed },
      { type: "text", text: "cut \ud83d" },
      call("a", { "name\udc00": ["cut \ud83d"] }),
    ),
    result("a", "cut \ud83d"),
  ];
  expect(promptOf(...messages)).toEqual([
    { role: "user", content: [{ type: "text", text: "cut \ufffd" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "cut \ufffd" },
        { type: "text", text: "cut \ufffd" },
        callPart("a", { "name\ufffd": ["cut \ufffd"] }),
      ],
    },
    { role: "tool", content: [resultPart("a", "cut \ufffd")] },
  ]);
});

test("a turn with thinking, text, calls and results is converted", () => {
  const signed = { anthropic: { signature: "sig" } };
  const messages = [
    user("Look."),
    reply(
      { type: "thinking", text: "Hm.", providerMetadata: signed },
      { type: "text", text: "I look." },
      call("a", { path: "x" }),
      call("b", undefined),
    ),
    result("a", "found"),
    result("b", "no such file", "error"),
    user("And?"),
  ];
  expect(promptOf(...messages)).toEqual([
    { role: "user", content: [{ type: "text", text: "Look." }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: signed },
        { type: "text", text: "I look." },
        callPart("a", { path: "x" }),
        callPart("b"),
      ],
    },
    { role: "tool", content: [resultPart("a", "found"), resultPart("b", "no such file", "error-text")] },
    { role: "user", content: [{ type: "text", text: "And?" }] },
  ]);
});

test.each(["error", "denied", "timeout", "unknown-tool", "invalid-arguments", "interrupted"] as const)(
  "a result that is %s is an error to the model",
  (status) => {
    expect(promptOf(reply(call("a")), result("a", "why", status))[1]?.content).toEqual([
      resultPart("a", "why", "error-text"),
    ]);
  },
);

test("results are moved to their calls, and every call has exactly one", () => {
  const messages = [
    reply(call("a"), call("b"), call("c")),
    result("c", "3"),
    user("Hint."),
    result("a", "1"),
    result("a", "again"),
    result("no-such-call", "?"),
  ];
  expect(promptOf(...messages)).toEqual([
    { role: "assistant", content: [callPart("a"), callPart("b"), callPart("c")] },
    {
      role: "tool",
      content: [
        resultPart("a", "1"),
        resultPart("b", expect.stringContaining("Outcome unknown"), "error-text"),
        resultPart("c", "3"),
      ],
    },
    { role: "user", content: [{ type: "text", text: "Hint." }] },
  ]);
});

test("a call that could not be parsed is sent without arguments, with its problem as the result", () => {
  const unread: ReplyPart = { type: "call", id: "a", tool: "read", input: undefined, problem: "The reply broke off" };
  expect(promptOf(reply(unread))).toEqual([
    { role: "assistant", content: [callPart("a")] },
    { role: "tool", content: [resultPart("a", "The reply broke off", "error-text")] },
  ]);
});

test("user messages in a row become one message, and no text is empty", () => {
  expect(promptOf(user("One."), user(" "), user("Two."))).toEqual([
    { role: "user", content: ["One.", "(no text)", "Two."].map((text) => ({ type: "text", text })) },
  ]);
});

test("empty text, thinking at the end, and replies without other content are dropped", () => {
  expect(promptOf(user("Go."), reply({ type: "thinking", text: "Hm." }, { type: "text", text: " \n" }))).toEqual([
    { role: "user", content: [{ type: "text", text: "Go." }] },
  ]);
  expect(promptOf(reply({ type: "text", text: "So." }, { type: "thinking", text: "Hm." }))).toEqual([
    { role: "assistant", content: [{ type: "text", text: "So." }] },
  ]);
});

test("invented tool names are changed into names that providers accept, real names are not changed", () => {
  const odd = (tool: string): ReplyPart => ({ type: "call", id: "a", tool, input: {} });
  const nameIn = (tool: string) =>
    JSON.stringify(toPrompt({ system: "", messages: [reply(odd(tool))] }).map(({ content }) => content)).match(
      /"toolName":"([^"]*)"/g,
    );
  expect(nameIn("functions.bash ünï")).toEqual(['"toolName":"functions_bash__n_"', '"toolName":"functions_bash__n_"']);
  const longest = `mcp__files-${"x".repeat(53)}`; // all that createRegistry accepts
  expect(nameIn(longest)?.[0]).toBe(`"toolName":"${longest}"`);
  expect(nameIn("")?.[0]).toBe('"toolName":"unknown"');
  expect(nameIn("x".repeat(10_000))?.[0]).toHaveLength(64 + '"toolName":""'.length);
});

test("half a character is replaced visibly", () => {
  expect(JSON.stringify(promptOf(user("a\ud800b")))).toContain("a\ufffdb");
});

test("the system text and the end of the conversation are marked for caching", () => {
  const prompt = toPrompt({
    system: "You are.",
    messages: [user("1"), reply({ type: "text", text: "2" }), user("3")],
  });
  expect(prompt.map(({ role, providerOptions }) => [role, providerOptions !== undefined])).toEqual([
    ["system", true],
    ["user", false],
    ["assistant", false],
    ["user", true],
  ]);
});

test("the history itself does not change", () => {
  const messages = [user("One."), user("Two."), reply(call("a"))];
  const before = structuredClone(messages);
  promptOf(...messages);
  expect(messages).toEqual(before);
});

const anyMessage = fc.oneof(
  fc.string().map((text) => user(text)),
  fc
    .array(fc.nat(5), { maxLength: 3 })
    .map((ids) => reply({ type: "text", text: "So." }, ...ids.map((id) => call(`c${id}`)))),
  fc
    .tuple(fc.nat(5), fc.constantFrom("ok" as const, "error" as const))
    .map(([id, status]) => result(`c${id}`, `content ${status}`, status)),
);

test("with a cache, a list that grew, shrank or changed is converted as without one", () => {
  const step = fc.record({
    keep: fc.nat(12),
    more: fc.array(anyMessage, { maxLength: 6 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.constantFrom("", "You are."), (steps, system) => {
      const cache = createMessageCache();
      let messages: readonly Message[] = [user("Go.")];
      for (const { keep, more } of steps) {
        messages = [...messages.slice(0, Math.max(1, messages.length - (keep > 8 ? keep - 8 : 0))), ...more];
        expect(toPrompt({ system, messages, cache })).toEqual(toPrompt({ system, messages }));
      }
    }),
  );
});

test("a prompt does not change when the conversation continues", () => {
  const cache = createMessageCache();
  const messages: Message[] = [user("One.")];
  const prompt = toPrompt({ system: "You are.", messages, cache });
  const copy = structuredClone(prompt);
  toPrompt({ system: "You are.", messages: [...messages, user("Two."), reply(call("a")), result("a", "1")], cache });
  expect(prompt).toEqual(copy);
});

test("with a cache, a message is converted once", () => {
  const cache = createMessageCache();
  const messages = [user("Look."), reply(call("a")), result("a", "1")];
  const [, first] = toPrompt({ system: "", messages, cache });
  const longer = [...messages, reply(call("b")), result("b", "2")];
  const [, second] = toPrompt({ system: "", messages: longer, cache });
  expect(second).toBe(first);
});
