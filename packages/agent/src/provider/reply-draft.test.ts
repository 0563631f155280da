import fc from "fast-check";
import { expect, test } from "vitest";
import { type DraftObserver, ReplyDraft } from "./reply-draft.ts";

function draftOf(parts: readonly unknown[], usedIds: readonly string[] = []) {
  let count = 0;
  const draft = new ReplyDraft({ usedIds: new Set(usedIds), newId: () => `ours_${++count}` });
  const received: object[] = [];
  for (const part of parts) draft.add(part, recordingObserver(received));
  return { draft, received };
}

function recordingObserver(received: object[]): DraftObserver {
  const record = (delta: object): "continue" => {
    received.push(delta);
    return "continue";
  };
  return {
    onText: (type, text) => record({ type, text }),
    onCall: (callId, tool) => void record({ type: "call", callId, tool }),
    onCallInput: (callId, text) => record({ type: "input", callId, text }),
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
  const { draft, received } = draftOf(parts);
  expect(draft.parts()).toEqual([
    { type: "thinking", text: "Hm", providerMetadata: { anthropic: { signature: "sig" } } },
    { type: "text", text: "I look." },
    { type: "call", id: "a", tool: "read", input: { path: "x" } },
  ]);
  expect(received).toEqual([
    { type: "thinking", text: "Hm" },
    { type: "text", text: "I " },
    { type: "call", callId: "a", tool: "read" },
    { type: "text", text: "look." },
    { type: "input", callId: "a", text: '{"path":' },
    { type: "input", callId: "a", text: '"x"}' },
  ]);
  expect(draft.characters).toBe("HmI look.".length + '{"path":"x"}'.length);
});

test("an id that is reused for the next block starts another part", () => {
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

test("metadata of thinking is kept even without text, and merged over its parts", () => {
  const { draft } = draftOf([
    { type: "reasoning-start", id: "0", providerMetadata: { openai: { itemId: "rs_1", encrypted: null } } },
    { type: "reasoning-end", id: "0", providerMetadata: { openai: { encrypted: "abc" } } },
    { type: "text-start", id: "1" },
  ]);
  expect(draft.parts()).toEqual([
    { type: "thinking", text: "", providerMetadata: { openai: { itemId: "rs_1", encrypted: "abc" } } },
  ]);
});

test("a call that comes in one part is reported like a streamed call", () => {
  const { draft, received } = draftOf([
    whole("a", '{"path":"x"}', "read", { providerMetadata: { google: { thoughtSignature: "s" } } }),
  ]);
  expect(received).toEqual([
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
  "the id %.20s is replaced by a new id",
  (id) => {
    const { draft, received } = draftOf([start(id), delta(id, "{}"), whole(id, "{}")], ["used"]);
    expect(draft.parts()).toEqual([{ type: "call", id: "ours_1", tool: "read", input: {} }]);
    expect(received[0]).toEqual({ type: "call", callId: "ours_1", tool: "read" });
  },
);

test("calls with the same id are kept apart, in sequence or interleaved", () => {
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

test("ids are unique even if newId repeats itself", () => {
  const draft = new ReplyDraft({ usedIds: new Set(["same"]), newId: () => "same" });
  for (const id of ["", "", ""]) draft.add(whole(id, "{}"), recordingObserver([]));
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

test("calls that the provider executes itself, unknown parts and broken parts are ignored", () => {
  const executed = { providerExecuted: true };
  const parts = [
    start("a", "web_search", executed),
    delta("a", "{}"),
    whole("a", "{}", "web_search", executed),
    { type: "tool-result", toolCallId: "a" },
    { type: "source" },
    { type: "ping" },
    null,
    7,
    {},
  ];
  const { draft, received } = draftOf(parts);
  expect([draft.isEmpty(), draft.hasCalls(), received]).toEqual([true, false, []]);
});

test("the newest text is cut between characters, and loses its signature", () => {
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

test("neither arguments nor the text before them are cut", () => {
  const { draft } = draftOf([text("1", "Kept."), start("a"), delta("a", "aaaa")]);
  draft.cutEnd(3);
  expect(draft.parts()[0]).toEqual({ type: "text", text: "Kept." });
});

test("text that looks like roles or results stays text, and half characters are replaced", () => {
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
