import { expect, test } from "vitest";
import {
  expectedClaudeCodeSpans,
  expectedCopilot,
  expectedSheepdogSpans,
} from "../../../test/fixtures/expected/opentelemetry.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";

/** A span as the SDKs write it to a file. */
function span(spanId: string, name: string, attributes: object, more: object = {}) {
  return { traceId: "t", spanId, name, startTime: [1_793_610_000, 0], attributes, status: { code: 0 }, ...more };
}

test("Copilot CLI: a conversation is a run, a subagent is its own, and sums and copies are not added", async () => {
  const { runs, skipped } = await readFixtures(".copilot/otel/copilot-2026-11-02.jsonl");
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual(expectedCopilot);
  const [main, subagent] = runs;
  expect(main).toMatchObject({
    source: "copilot",
    model: "gpt-5.2",
    provider: "github",
    counting: { repeatedUsage: 1 },
    steps: [
      {
        user: true,
        calls: [
          { name: "view", isError: false },
          { name: "bash", isError: true, status: "timeout" },
        ],
      },
      { calls: [{ name: "task", child: subagent?.id }] },
      { user: true, calls: [] },
    ],
  });
  expect(main?.steps[1]?.user).toBeUndefined();
  expect(subagent).toMatchObject({ parent: main?.id, model: "gpt-5.2-mini", steps: [{ calls: [] }] });
});

test("Claude Code: the cache is beside the input, and log records count where there is no span", async () => {
  const { runs, skipped } = await readFixtures("otel/claude-code.jsonl");
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual(expectedClaudeCodeSpans);
  expect(runs).toMatchObject([
    {
      source: "claude-code",
      id: "cec62d6f-60f8-43e8-a67b-133b2a138a83",
      counting: { repeatedUsage: 1 },
      steps: [
        { user: true, calls: [{ name: "Bash", args: "npm test", isError: true }] },
        { calls: [] },
        { model: "claude-haiku-4-5", calls: [{ name: "Edit", isError: true, status: "denied" }] },
      ],
    },
  ]);
  expect(runs[0]?.task).toBeUndefined();
});

test("Sheepdog: a run with its texts, calls, refusals, compaction, messages of the user and costs", async () => {
  const { runs, skipped } = await readFixtures("otel/sheepdog.json");
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual(expectedSheepdogSpans);
  expect(runs).toMatchObject([
    {
      id: "run_1",
      source: "sheepdog",
      outcome: "answered",
      task: "What does a.txt say?",
      steps: [
        {
          user: true,
          text: "I read it.",
          usage: { inputTokens: 1300, outputTokens: 45, costUsd: 0.011 },
          calls: [
            { name: "read", args: { path: "a.txt" }, result: "hello", isError: false },
            { name: "bash", isError: true, status: "denied" },
          ],
          position: { entry: "span 4" },
        },
        { user: true, compacted: true, usage: { costUsd: 0.007 }, calls: [] },
      ],
    },
  ]);
});

test("calls and results are read from the messages where the calls have no spans of their own", async () => {
  const call = { type: "tool_call", id: "c1", name: "ls", arguments: { path: "." } };
  const output = JSON.stringify([{ role: "assistant", parts: [call] }]);
  const answer = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "a.txt" }] };
  const prompt = { role: "user", parts: [{ type: "text", content: "List." }] };
  const first = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": [prompt],
    "gen_ai.output.messages": output,
  };
  const history = [prompt, { role: "assistant", parts: [call] }, answer];
  const second = { "gen_ai.operation.name": "chat", "gen_ai.input.messages": JSON.stringify(history) };
  const later = { startTime: [1_793_610_005, 0] };
  const { runs } = await readValues(span("1", "chat m", first), span("2", "chat m", second, later));
  expect(runs).toMatchObject([
    { id: "t", task: "List.", steps: [{ user: true, calls: [{ name: "ls", result: "a.txt" }] }, { calls: [] }] },
  ]);
  expect(runs[0]?.steps[1]?.user).toBeUndefined();
});

test("a request that two instrumentations recorded counts once, with the inner span", async () => {
  const usage = { "gen_ai.usage.prompt_tokens": 10, "gen_ai.usage.completion_tokens": 2 };
  const outer = span("1", "ChatOpenAI.chat", { "llm.request.type": "chat", ...usage });
  const inner = span("2", "openai.chat", { "llm.request.type": "chat", ...usage }, { parentSpanId: "1" });
  const { runs } = await readValues(outer, inner);
  expect(runs).toMatchObject([{ counting: { repeatedUsage: 1 }, steps: [{ usage: { inputTokens: 10 } }] }]);
});

test("requests whose ids were masked are not taken for copies", async () => {
  const masked = {
    "gen_ai.operation.name": "chat",
    "gen_ai.usage.input_tokens": 5,
    "gen_ai.response.id": "[REDACTED]",
  };
  const { runs } = await readValues(span("1", "chat m", masked), span("2", "chat m", masked));
  expect(runs).toMatchObject([{ steps: [{ usage: { request: "otel/1" } }, { usage: { request: "otel/2" } }] }]);
});

test("the sum of an agent counts where its requests were not recorded", async () => {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 7 };
  const { runs } = await readValues(span("1", "invoke_agent a", attributes));
  expect(runs).toMatchObject([{ steps: [{ usage: { inputTokens: 7 } }] }]);
});

test("spans of the Python SDK are read", async () => {
  const { runs } = await readValues({
    name: "chat gpt-4o",
    context: { trace_id: "0x1", span_id: "0x2", trace_state: "[]" },
    parent_id: null,
    start_time: "2026-11-02T09:00:00.000000Z",
    status: { status_code: "UNSET" },
    attributes: { "gen_ai.system": "openai", "gen_ai.request.model": "gpt-4o", "gen_ai.usage.input_tokens": 3 },
  });
  expect(runs).toMatchObject([
    { id: "0x1", provider: "openai", model: "gpt-4o", steps: [{ at: Date.UTC(2026, 10, 2, 9) }] },
  ]);
});

test("a trace with its spans within each other is read, as stores of spans export it", async () => {
  const about = (id: string, name: string, more: object) => ({
    trace_id: "t",
    span_id: id,
    span_name: name,
    timestamp: "2026-11-02T09:00:00Z",
    status_code: "Unset",
    ...more,
  });
  const request = about("3", "Model.call", {
    span_attributes: {
      "openinference.span.kind": "LLM",
      "llm.model_name": "o3-mini",
      "llm.token_count.prompt": 5,
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Go.",
    },
  });
  const tool = about("4", "Search", {
    timestamp: "2026-11-02T09:00:01Z",
    status_code: "Error",
    span_attributes: { "openinference.span.kind": "TOOL", "input.value": '{"q":1}' },
  });
  const agent = { "openinference.span.kind": "AGENT" };
  const root = about("2", "Agent.run", { span_attributes: agent, child_spans: [request, tool] });
  const trace = { trace_id: "t", spans: [about("1", "main", { span_attributes: {}, child_spans: [root] })] };
  expect((await readValues(trace)).runs).toMatchObject([
    {
      id: "t",
      model: "o3-mini",
      task: "Go.",
      steps: [{ user: true, usage: { inputTokens: 5 }, calls: [{ name: "Search", args: { q: 1 }, isError: true }] }],
    },
  ]);
});

test("a call without a result says why it failed, and otherwise that its result is unknown", async () => {
  const tool = (id: string, more: object) =>
    span(id, "execute_tool look", { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look" }, more);
  const exception = { name: "exception", attributes: { "exception.message": "no such page" } };
  const { runs } = await readValues(
    span("1", "chat m", { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 1 }),
    tool("2", {}),
    tool("3", { status: { code: 2, message: "TypeError: no argument" } }),
    tool("4", { status: { code: 2 }, events: [exception] }),
    tool("5", { status: { code: 2 } }),
  );
  const calls = runs.flatMap(({ steps }) => steps).flatMap((step) => step.calls);
  expect(calls.map(({ result, isError, isResultUnknown = false }) => [result, isError, isResultUnknown])).toEqual([
    [null, false, true],
    ["TypeError: no argument", true, false],
    ["no such page", true, false],
    [null, true, false],
  ]);
});

test("spans that name each other as parents do not hang", async () => {
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 1 };
  const { runs } = await readValues(
    span("1", "chat", attributes, { parentSpanId: "2" }),
    span("2", "chat", attributes, { parentSpanId: "1" }),
  );
  expect(runs.length).toBeLessThan(2);
});

test("a file with metrics only is reported", async () => {
  const { runs, skipped } = await readValues({ resourceMetrics: [] }, { resourceMetrics: [] });
  expect(runs).toEqual([]);
  expect(skipped).toEqual([
    { file: "renamed.txt", line: 0, why: "it is an OpenTelemetry recording without a reply of a model" },
  ]);
});

test("fractions of tokens are rounded, and the usage of several requests is a sum", async () => {
  const chat = (spanId: string, input: number, more: object = {}) =>
    span(spanId, "chat", {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "claude-sonnet-4-5",
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": 5,
      ...more,
    });
  const { runs } = await readValues(chat("1", 10.5), chat("2", 150_000, { "sheepdog.request.purpose": "compaction" }));
  expect(runs[0]?.steps.map(({ usage }) => usage)).toMatchObject([
    { inputTokens: 150_011, outputTokens: 10, isSum: true },
  ]);
});
