import { expect, test } from "vitest";
import { UsageReader } from "./usage-reader.ts";

const usage = { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 1 };
const reply = (id: string, more: object = {}) => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id, model: "m", usage: { ...usage, ...more } },
});
const total = { model: "m", inputTokens: 100, outputTokens: 1, cacheReadTokens: 90, cacheWriteTokens: 5 };

test("a reply of several messages is counted once", () => {
  const reader = new UsageReader();
  expect(reader.read(reply("a"))).toEqual(total);
  expect(reader.read(reply("a"))).toBeUndefined();
  expect(reader.read(reply("a", { output_tokens: 8 }))).toMatchObject({ inputTokens: 0, outputTokens: 7 });
  expect(reader.read(reply("b"))).toEqual(total);
});

test("replies of subagents that work at the same time are counted once each", () => {
  const reader = new UsageReader();
  const read = (id: string) => reader.read({ ...reply(id), parent_tool_use_id: `toolu_${id}` });
  expect(["a", "b", "a", "b"].map(read)).toEqual([total, total, undefined, undefined]);
});

test("a result adds the output tokens of the main agent that its messages did not state", () => {
  const reader = new UsageReader();
  for (const id of ["a", "b"]) reader.read(reply(id));
  reader.read({ ...reply("c", { output_tokens: 30 }), parent_tool_use_id: "toolu_1" });
  const result = { type: "result", usage: { ...usage, output_tokens: 20 } };
  expect(reader.read(result)).toMatchObject({ model: "m", inputTokens: 0, outputTokens: 18 });
  reader.read(reply("d"));
  expect(reader.read(result)).toMatchObject({ outputTokens: 19 });
});

test("other messages and other forms add nothing", () => {
  const reader = new UsageReader();
  for (const message of [null, "x", { type: "user" }, { type: "assistant" }, { type: "result", usage: "x" }])
    expect(reader.read(message)).toBeUndefined();
});
