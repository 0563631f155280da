import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { firstAttribute, stepsOfSpans } from "./agent-spans.ts";

const span = (span_name: string, fields: JsonObject = {}): JsonObject => ({ span_name, ...fields });
const model = (text: string): JsonObject =>
  span("model", {
    span_attributes: { "openinference.span.kind": "LLM", "llm.output_messages.0.message.content": text },
  });

test("steps are read in the order of time, and an agent started by a step comes after it", () => {
  const search = span("search", {
    span_attributes: {
      "openinference.span.kind": "TOOL",
      "tool.name": "search",
      "input.value": '{"args": [1], "kwargs": {"query": "sheep"}}',
    },
  });
  const helper = span("Helper.run", {
    span_attributes: { "openinference.span.kind": "AGENT" },
    child_spans: [span("Step 1", { span_id: "c", child_spans: [model("From the helper.")] })],
  });
  const first = span("Step 1", {
    span_id: "a",
    timestamp: "1",
    span_attributes: { "output.value": "3 hits" },
    child_spans: [model("Search."), search, helper],
  });
  const second = span("Step 2", {
    span_id: "b",
    timestamp: "2",
    status_code: "Error",
    status_message: "bad code",
    child_spans: [model("```py\nx = \n```")],
  });
  const root = span("main", { child_spans: [span("CodeAgent.run", { child_spans: [second, first] })] });
  expect(stepsOfSpans([root])).toEqual([
    {
      text: "Search.",
      calls: [{ name: "search", args: { query: "sheep", _args: [1] }, result: "3 hits", isError: false }],
      extra: { agent: "CodeAgent", span: "a" },
    },
    { text: "From the helper.", calls: [], extra: { agent: "Helper", span: "c" } },
    {
      text: "```py\nx = \n```",
      calls: [{ name: "python_interpreter", args: { code: "x = \n" }, result: "\nERROR: bad code", isError: true }],
      extra: { agent: "CodeAgent", span: "b" },
    },
  ]);
});

test("an attribute is searched in the spans below too", () => {
  const below = span("below", { span_attributes: { name: "found" } });
  expect(firstAttribute([span("a"), span("b", { child_spans: [below] })], "name")).toBe("found");
  expect(firstAttribute([span("a")], "name")).toBeUndefined();
});
