import { describe, expect, test } from "vitest";
import { expectedAnthropicMessages } from "../../../test/fixtures/expected/anthropic-messages.ts";
import { fixtureLines, fixtureText } from "../../../test/fixtures/home.ts";
import { readText, readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { anthropicDocumentReader, anthropicLineReader } from "./messages-readers.ts";

const path = "logs/anthropic-messages.jsonl";
const messages = [
  { role: "user", content: "List the files." },
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "ls", input: { path: "." } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a.txt" }] },
  { role: "assistant", content: "There is one." },
];

describe("messages of Anthropic's API", () => {
  test("requests of one conversation are one run, with the usage of each response", async () => {
    const { runs, skipped } = await readText(fixtureText(path), "log.jsonl");
    expect(skipped).toEqual([]);
    expect(totalsOf(runs)).toEqual(expectedAnthropicMessages);
    expect(runs[0]).toEqual({
      id: "log.jsonl:1",
      source: "anthropic-messages",
      model: "claude-sonnet-4-6",
      task: "How large is the cart file?",
      steps: [
        {
          turn: 0,
          text: "I look.",
          user: true,
          prompt: "How large is the cart file?",
          at: Date.UTC(2026, 10, 4, 10),
          position: { line: 1 },
          usage: expect.objectContaining({ inputTokens: 150, outputTokens: 20 }),
          calls: [
            {
              name: "wc",
              args: { file: "src/cart.ts" },
              result: "25 src/cart.ts",
              isError: false,
              at: Date.UTC(2026, 10, 4, 10),
              position: { line: 1 },
            },
          ],
        },
        {
          turn: 1,
          text: "It has 25 bytes.",
          at: Date.UTC(2026, 10, 4, 10, 0, 5),
          position: { line: 2 },
          usage: expect.objectContaining({ inputTokens: 180, cacheReadTokens: 150, outputTokens: 15 }),
          calls: [],
        },
      ],
    });
  });

  test("parallel conversations that begin with the same message stay apart", async () => {
    const sent: Record<string, object[]> = { a: [], b: [] };
    const lines: object[] = [];
    for (const turn of [0, 1, 2])
      for (const [name, conversation] of Object.entries(sent)) {
        if (turn === 0) conversation.push({ role: "user", content: "Look." });
        const id = `toolu_${name}${turn}`;
        const content = [{ type: "tool_use", id, name: "ls", input: { path: name } }];
        const reply = { id: `msg_${name}${turn}`, role: "assistant", model: "claude-sonnet-4-6", content };
        const usage = { input_tokens: 100, output_tokens: 1 };
        lines.push({ request: { messages: [...conversation] }, response: { ...reply, usage } });
        const result = { type: "tool_result", tool_use_id: id, content: "x", cache_control: { type: "ephemeral" } };
        conversation.push({ role: "assistant", content }, { role: "user", content: [result] });
      }
    const { runs } = await readValues(...lines);
    expect(runs.map(({ steps }) => steps.map(({ usage, calls }) => [usage?.request, calls.length]))).toEqual(
      ["a", "b"].map((name) => [0, 1, 2].map((turn) => [`msg_${name}${turn}`, 1])),
    );
  });

  test("a text beside results is a person's, and a failed call says so", async () => {
    const { runs } = await readText(fixtureText(path), "log.jsonl");
    expect(runs[1]?.model).toBe("claude-haiku-4-5");
    expect(runs[1]?.counting).toEqual({ withoutUsage: 2 });
    expect(runs[1]?.steps.map(({ user, calls }) => [user, calls[0]?.isError])).toEqual([
      [true, true],
      [true, undefined],
    ]);
  });

  test("a list, an object with messages, a list of objects and a line with a list hold one conversation", async () => {
    const forms = [
      JSON.stringify(messages, null, 2),
      JSON.stringify({ model: "claude-opus-4-6", system: "Be brief.", messages }),
      JSON.stringify([{ messages }], null, 2),
      `${JSON.stringify(messages)}\n`,
      JSON.stringify({ request: { body: JSON.stringify({ messages }) }, response: { status: 200 } }),
    ];
    for (const form of forms) {
      const { runs } = await readText(form);
      expect(runs.map(({ source, task, steps }) => [source, task, steps.length, steps[0]?.calls[0]?.result])).toEqual([
        ["anthropic-messages", "List the files.", 2, "a.txt"],
      ]);
    }
  });

  test("images do not stay in memory as text", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "x".repeat(1000) } };
    const result = { type: "tool_result", tool_use_id: "t1", content: [image, { type: "text", text: "a picture" }] };
    const { runs } = await readText(JSON.stringify([messages[0], messages[1], { role: "user", content: [result] }]));
    expect(runs[0]?.steps[0]?.calls[0]?.result).toBe("[image]\na picture");
  });

  test("odd fields count as missing", async () => {
    for (const field of ["content", "messages", "usage", "request", "response"])
      for (const odd of ["null", "7", "[3]", '[{"type":"tool_use"}]'])
        await readText(fixtureText(path).replaceAll(`"${field}":`, `"${field}":${odd},"was":`));
  });
});

describe("recognizing messages of Anthropic", () => {
  test("its own lines and documents are recognized", () => {
    expect(anthropicLineReader.recognizes(fixtureLines(path))).toBe(true);
    expect(anthropicDocumentReader.recognizes(messages)).toBe(true);
    expect(anthropicDocumentReader.recognizes({ messages })).toBe(true);
  });

  test("messages of other APIs and other formats are not", () => {
    const toolCalls = [{ id: "1", type: "function", function: { name: "ls", arguments: "{}" } }];
    const others = [
      {
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: null, tool_calls: toolCalls },
        ],
      },
      { messages: [...messages, { role: "tool", tool_call_id: "t1", content: "a.txt" }] },
      {
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Hello" },
        ],
      },
      ...fixtureLines("logs/claude-stream.jsonl"),
      ...fixtureLines(".claude/projects/-home-ada-shop/5d3c2b1a-90ab-4cde-8f01-23456789abcd.jsonl"),
    ];
    for (const other of others) {
      expect(anthropicLineReader.recognizes([other])).toBe(false);
      expect(anthropicDocumentReader.recognizes(other)).toBe(false);
    }
  });
});
