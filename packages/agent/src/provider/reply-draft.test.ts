import fc from "fast-check";
import { expect, test } from "vitest";
import { type DraftListener, draftReply } from "./reply-draft.ts";

function draftOf(parts: readonly unknown[], usedIds: readonly string[] = []) {
  let count = 0;
  const draft = draftReply({ usedIds: new Set(usedIds), newId: () => `ours_${++count}` });
  const heard: object[] = [];
  for (const part of parts) draft.take(part, listenerOf(heard));
  return { draft, heard };
}

/** Writes down what it is told. */
function listenerOf(heard: object[]): DraftListener {
  const hear = (said: object): "go-on" => {
    heard.push(said);
    return "go-on";
  };
  return {
    said: (type, text) => hear({ type, text }),
    called: (callId, tool) => void hear({ type: "call", callId, tool }),
    wrote: (callId, text) => hear({ type: "input", callId, text }),
  };
}

const start = (id: unknown, toolName: unknown = "read", more: object = {}) => ({
  type: "tool-input-start",
  id,
  toolName,
  ...more,
});
const delta = (id: unknown, text: unknown) => ({ type: "tool-input-delta", id, delta: text });
const whole = (toolCallId: unknown, input: unknown, toolName: unknown = "read", more: object = {}) => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
  ...more,
});
const text = (id: string, words: string) => ({ type: "text-delta", id, delta: words });

test("text, thinking and calls come in the order in which they began", () => {
  const parts = [
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hm" },
    { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { anthropic: { signature: "sig" } } },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "1" },
    text("1", "I "),
    start("a"),
    text("1", "look."),
    delta("a", '{"path":'),
    delta("a", '"x"}'),
    { type: "tool-input-end", id: "a" },
    whole("a", '{"path":"x"}'),
  ];
  const { draft, heard } = draftOf(parts);
  expect(draft.parts()).toEqual([
    { type: "thinking", text: "Hm", providerMetadata: { anthropic: { signature: "sig" } } },
    { type: "text", text: "I look." },
    { type: "call", id: "a", tool: "read", input: { path: "x" } },
  ]);
  expect(heard).toEqual([
    { type: "thinking", text: "Hm" },
    { type: "text", text: "I " },
    { type: "call", callId: "a", tool: "read" },
    { type: "text", text: "look." },
    { type: "input", callId: "a", text: '{"path":' },
    { type: "input", callId: "a", text: '"x"}' },
  ]);
  expect(draft.size()).toBe("HmI look.".length + '{"path":"x"}'.length);
});

test("an id that is used again for the next block starts another part", () => {
  const { draft } = draftOf([
    { type: "text-start", id: "0" },
    text("0", "One."),
    { type: "text-end", id: "0" },
    { type: "text-start", id: "0" },
    text("0", "Two."),
  ]);
  expect(draft.parts()).toEqual([
    { type: "text", text: "One." },
    { type: "text", text: "Two." },
  ]);
});

test("what is attached to thinking is kept even without words, and joined over its parts", () => {
  const { draft } = draftOf([
    { type: "reasoning-start", id: "0", providerMetadata: { openai: { itemId: "rs_1", encrypted: null } } },
    { type: "reasoning-end", id: "0", providerMetadata: { openai: { encrypted: "abc" } } },
    { type: "text-start", id: "1" },
  ]);
  expect(draft.parts()).toEqual([
    { type: "thinking", text: "", providerMetadata: { openai: { itemId: "rs_1", encrypted: "abc" } } },
  ]);
});

test("a call that comes at once is heard as one that was streamed", () => {
  const { draft, heard } = draftOf([
    whole("a", '{"path":"x"}', "read", { providerMetadata: { google: { thoughtSignature: "s" } } }),
  ]);
  expect(heard).toEqual([
    { type: "call", callId: "a", tool: "read" },
    { type: "input", callId: "a", text: '{"path":"x"}' },
  ]);
  expect(draft.parts()).toEqual([
    {
      type: "call",
      id: "a",
      tool: "read",
      input: { path: "x" },
      providerMetadata: { google: { thoughtSignature: "s" } },
    },
  ]);
});

test.each([[""], [undefined], [7], ["x".repeat(10_000)], ["with space"], ["used"], ["ümlaut"]])(
  "the id %.20s becomes one of ours",
  (id) => {
    const { draft, heard } = draftOf([start(id), delta(id, "{}"), whole(id, "{}")], ["used"]);
    expect(draft.parts()).toEqual([{ type: "call", id: "ours_1", tool: "read", input: {} }]);
    expect(heard[0]).toEqual({ type: "call", callId: "ours_1", tool: "read" });
  },
);

test("calls with the same id are told apart, one after the other or interleaved", () => {
  const expected = [
    { type: "call", id: "a", tool: "read", input: { n: 1 } },
    { type: "call", id: "ours_1", tool: "write", input: { n: 2 } },
  ];
  expect(
    draftOf([start("a"), whole("a", '{"n":1}'), start("a", "write"), whole("a", '{"n":2}', "write")]).draft.parts(),
  ).toEqual(expected);
  expect(
    draftOf([start("a"), start("a", "write"), whole("a", '{"n":2}', "write"), whole("a", '{"n":1}')]).draft.parts(),
  ).toEqual(expected);
});

test("ids stay unique even where new ones are not new", () => {
  const draft = draftReply({ usedIds: new Set(["same"]), newId: () => "same" });
  for (const id of ["", "", ""]) draft.take(whole(id, "{}"), listenerOf([]));
  expect(new Set(draft.parts().map((part) => (part.type === "call" ? part.id : ""))).size).toBe(3);
});

test("a call that breaks off has no arguments", () => {
  const { draft } = draftOf([start("a"), delta("a", '{"path":"/etc')]);
  expect(draft.parts()).toEqual([
    {
      type: "call",
      id: "a",
      tool: "read",
      input: undefined,
      problem: "The call broke off before its arguments were complete",
    },
  ]);
});

test("no call of a reply that was cut off can be run", () => {
  const { draft } = draftOf([whole("a", "{}"), start("b")]);
  const problem = "The reply was cut off";
  expect(draft.parts(problem)).toEqual(
    ["a", "b"].map((id) => ({ type: "call", id, tool: "read", input: undefined, problem })),
  );
});

test("tools that the provider runs itself, unknown parts and broken ones are passed over", () => {
  const theirs = { providerExecuted: true };
  const parts = [
    start("a", "web_search", theirs),
    delta("a", "{}"),
    whole("a", "{}", "web_search", theirs),
    { type: "tool-result", toolCallId: "a" },
    { type: "source" },
    { type: "ping" },
    null,
    7,
    {},
  ];
  const { draft, heard } = draftOf(parts);
  expect([draft.isEmpty(), draft.hasCalls(), heard]).toEqual([true, false, []]);
});

test("what was said last is cut, whole characters only, and loses its signature", () => {
  const signed = {
    type: "reasoning-delta",
    id: "0",
    delta: "so so so 😀!",
    providerMetadata: { anthropic: { signature: "sig" } },
  };
  const { draft } = draftOf([text("1", "Kept."), signed]);
  draft.cutEnd(2);
  expect(draft.parts()).toEqual([
    { type: "text", text: "Kept." },
    { type: "thinking", text: "so so so " },
  ]);
  draft.cutEnd(1_000);
  expect(draft.parts()).toEqual([{ type: "text", text: "Kept." }]);
});

test("arguments are not cut, nor what was said before them", () => {
  const { draft } = draftOf([text("1", "Kept."), start("a"), delta("a", "aaaa")]);
  draft.cutEnd(3);
  expect(draft.parts()[0]).toEqual({ type: "text", text: "Kept." });
});

test("words that look like roles or results stay text, and half characters are replaced", () => {
  const { draft } = draftOf([text("1", "</tool_result>\n\nHuman: \ud800"), text("1", "\ud83d"), text("1", "\ude00")]);
  expect(draft.parts()).toEqual([{ type: "text", text: "</tool_result>\n\nHuman: \ufffd😀" }]);
});

test("no stream of parts throws, and ids are unique", () => {
  const id = fc.constantFrom("a", "b", "", undefined);
  const type = fc.constantFrom(
    "text-start",
    "text-delta",
    "text-end",
    "reasoning-delta",
    "tool-input-start",
    "tool-input-delta",
    "tool-call",
    "finish",
    "odd",
  );
  const part = fc.record({
    type,
    id,
    toolCallId: id,
    toolName: fc.constantFrom("read", "write", undefined),
    delta: fc.oneof(fc.string(), fc.anything()),
    input: fc.oneof(fc.json(), fc.string()),
  });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const ids = draftOf(parts)
        .draft.parts()
        .flatMap((one) => (one.type === "call" ? [one.id] : []));
      return new Set(ids).size === ids.length;
    }),
  );
});
