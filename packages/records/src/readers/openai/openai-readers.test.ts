import { expect, test } from "vitest";
import { expectedOpenAi } from "../../../test/fixtures/expected/openai.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readText, readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { openaiDocumentReader, openaiLineReader } from "./openai-readers.ts";

test("all conversations have the totals that were computed by hand", async () => {
  const { runs, skipped } = await readFixtures("logs/openai");
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual(expectedOpenAi);
});

test("a list of messages is a run: arguments are parsed, and broken ones stay a text", async () => {
  const { runs } = await readFixtures("logs/openai/weather.json");
  const entry = (message: number) => ({ entry: `message ${message}` });
  expect(runs).toEqual([
    {
      id: expect.stringMatching(/weather\.json$/),
      source: "openai-chat",
      task: "What is the weather in Paris and Rome?",
      counting: { withoutUsage: 3 },
      steps: [
        {
          turn: 0,
          text: "",
          user: true,
          prompt: "What is the weather in Paris and Rome?",
          position: entry(3),
          calls: [
            { name: "get_weather", args: { city: "Paris" }, result: "18 degrees", isError: null },
            { name: "get_weather", args: '{"city":"Rome"', result: "Error: bad JSON", isError: null },
          ],
        },
        { turn: 1, text: "18 degrees in Paris.", calls: [], position: entry(6) },
        {
          turn: 2,
          text: "You are welcome.",
          user: true,
          prompt: "Thanks.\n[image_url]",
          calls: [],
          position: entry(8),
        },
      ],
    },
  ]);
});

test("lines with requests and responses are runs with usage, of OpenAI and of Anthropic", async () => {
  const { runs } = await readFixtures("logs/openai/conversations.jsonl");
  const facts = runs.map(({ id, model, steps }) => [id.split("/").at(-1), model, steps.at(-1)?.usage]);
  expect(facts).toEqual([
    ["chatcmpl-1", "gpt-4.1-mini", { inputTokens: 120, cacheReadTokens: 64, outputTokens: 12, request: "chatcmpl-1" }],
    ["conversations.jsonl:2", undefined, { inputTokens: 9, outputTokens: 2, costUsd: 0.0003 }],
    ["conversations.jsonl:3", undefined, undefined],
    [
      "msg_1",
      "claude-sonnet-4-5",
      { inputTokens: 127, cacheReadTokens: 100, cacheWriteTokens: 20, outputTokens: 6, request: "msg_1" },
    ],
  ]);
  expect(runs[2]?.steps[0]?.calls).toEqual([{ name: "add", args: { a: 1, b: 1 }, result: "2", isError: null }]);
  expect(runs[3]?.steps[0]?.calls).toEqual([{ name: "ls", args: {}, result: "no such folder", isError: true }]);
});

test("requests that repeat the messages of those before them are one run, with the usage of each", async () => {
  const messages: object[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go." },
  ];
  const lines = [0, 1, 2].map((turn) => {
    const called = { name: "ls", arguments: "{}" };
    const reply = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${turn}`, type: "function", function: called }],
    };
    const usage = { prompt_tokens: 1_000 + turn, completion_tokens: 10 };
    const response = { id: `chatcmpl-${turn}`, model: "gpt-5", choices: [{ message: reply }], usage };
    const line = { request: { model: "gpt-5", messages: [...messages] }, response };
    messages.push(reply, { role: "tool", tool_call_id: `c${turn}`, content: `a${turn}.ts` });
    return line;
  });
  const { runs, skipped } = await readValues(...lines);
  expect(skipped).toEqual([]);
  expect(runs).toMatchObject([{ id: "chatcmpl-0", task: "Go." }]);
  expect(runs[0]?.steps.map(({ usage, calls, position }) => [usage?.inputTokens, calls[0]?.result, position])).toEqual([
    [1_000, "a0.ts", { line: 1, entry: "message 3" }],
    [1_001, "a1.ts", { line: 2, entry: "message 5" }],
    [1_002, null, { line: 3, entry: "message 7" }],
  ]);
});

test("a log of one request may keep the response beside the messages", async () => {
  const message = { role: "assistant", content: "Hello." };
  const usage = { prompt_tokens: 9, completion_tokens: 3 };
  const log = {
    messages: [{ role: "user", content: "Hi." }],
    response: { id: "chatcmpl-1", model: "gpt-5", choices: [{ message }], usage },
    latency_sec: 1.5,
  };
  const steps = [{ text: "Hello.", usage: { inputTokens: 9, outputTokens: 3 } }];
  const run = { id: "chatcmpl-1", model: "gpt-5", task: "Hi.", steps };
  expect(await readText(JSON.stringify(log))).toMatchObject({ runs: [run], skipped: [] });
  expect(await readText(JSON.stringify(log, undefined, 2))).toMatchObject({ runs: [run], skipped: [] });
});

test("the items of one reply of the Responses API are one step", async () => {
  const { runs } = await readFixtures("logs/openai/responses.jsonl");
  expect(runs[0]?.steps.map(({ text, user, calls }) => [text, user, calls.map(({ result }) => result)])).toEqual([
    ["I count them.", true, ["3", "./a"]],
    ["Three.", undefined, []],
  ]);
});

test("a response of the Responses API is a run with its usage", async () => {
  const response = {
    id: "resp_1",
    object: "response",
    model: "gpt-5.2",
    input: "Hi.",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] }],
    usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 3 },
  };
  const usage = { inputTokens: 9, cacheReadTokens: 4, outputTokens: 3, request: "resp_1" };
  const run = { id: "resp_1", model: "gpt-5.2", task: "Hi.", steps: [{ text: "Hello.", user: true, usage }] };
  expect(await readText(JSON.stringify(response))).toMatchObject({ runs: [run], skipped: [] });
  expect(await readText(JSON.stringify(response, undefined, 2))).toMatchObject({ runs: [run], skipped: [] });
});

test("an indented document is one conversation, although its last line may be a whole message", async () => {
  const { runs } = await readText('[\n{"role":"user","content":"Hi."},\n{"role":"assistant","content":"Hello."}\n]\n');
  expect(runs).toMatchObject([{ task: "Hi.", steps: [{ text: "Hello." }] }]);
});

test("results of unknown calls and conversations without a reply are reported", async () => {
  const lost = [
    { role: "assistant", content: "Hm." },
    { role: "tool", tool_call_id: "lost", content: "x" },
  ];
  expect((await readText(JSON.stringify(lost, undefined, 1))).skipped).toEqual([
    { file: "renamed.txt", line: 0, why: "1 messages were left out: of unknown kinds, or results of unknown calls" },
  ]);
  expect((await readText('[\n{"role":"user","content":"Hi."}\n]')).skipped).toEqual([
    { file: "renamed.txt", line: 0, why: "this conversation has no reply of a model" },
  ]);
});

test("messages of other agents are not recognized", () => {
  const foreign = [
    { type: "user", message: { role: "user", content: "Hi." } },
    { role: "user", created: 1, content: [{ type: "text", text: "Hi." }] },
    { role: "assistant", content: [{ type: "toolRequest", id: "1" }] },
    { type: "response_item", payload: { type: "message", role: "user", content: [] } },
    { id: "1", type: "user", content: "Hi." },
    { sessionId: "s", messages: [{ id: "1", type: "user", content: "Hi." }] },
    { info: {}, messages: [{ info: { role: "user" }, parts: [] }] },
    { id: "r", steps: [] },
  ];
  for (const line of foreign) expect([line, openaiLineReader.recognizes([line])]).toEqual([line, false]);
  for (const line of foreign) expect([line, openaiDocumentReader.recognizes(line)]).toEqual([line, false]);
});
