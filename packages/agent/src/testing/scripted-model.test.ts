import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import { opinionBrief } from "@sheepdog/guardian/opinion";
import { describe, expect, test } from "vitest";
import type { Model } from "../provider/model.ts";
import type { Fault } from "./fault.ts";
import { type ModelRequest, type ScriptedModel, scriptedModel } from "./scripted-model.ts";
import type { Sleep } from "./wait.ts";

const call: LanguageModelV3CallOptions = { prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }] };

async function partsOf(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions = call,
): Promise<readonly LanguageModelV3StreamPart[]> {
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of (await model.doStream(options)).stream) parts.push(part);
  return parts;
}

function textOf(parts: readonly LanguageModelV3StreamPart[]): string {
  return parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
}

test("a turn is streamed part by part", async () => {
  const model = scriptedModel([
    {
      thinking: "Hm.",
      text: "Let me look.",
      calls: [{ tool: "read", input: { path: "a.txt" } }],
      usage: { input: 120, cacheRead: 100, output: 9, thinking: 2 },
    },
  ]);
  model satisfies Model;
  expect(await partsOf(model)).toEqual([
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "reply_0", modelId: "scripted" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hm." },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Let me look." },
    { type: "text-end", id: "1" },
    { type: "tool-input-start", id: "call_0_0", toolName: "read" },
    { type: "tool-input-delta", id: "call_0_0", delta: '{"path":"a.t' },
    { type: "tool-input-delta", id: "call_0_0", delta: 'xt"}' },
    { type: "tool-input-end", id: "call_0_0" },
    { type: "tool-call", toolCallId: "call_0_0", toolName: "read", input: '{"path":"a.txt"}' },
    {
      type: "finish",
      finishReason: { unified: "tool-calls", raw: "calls" },
      usage: {
        inputTokens: { total: 120, noCache: 20, cacheRead: 100, cacheWrite: 0 },
        outputTokens: { total: 9, text: 7, reasoning: 2 },
      },
    },
  ]);
});

test("deltas have twelve characters by default, and never half a character", async () => {
  const deltas = async (model: LanguageModelV3) =>
    (await partsOf(model)).flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
  expect(await deltas(scriptedModel([{ text: "a".repeat(30) }]))).toEqual([
    "a".repeat(12),
    "a".repeat(12),
    "a".repeat(6),
  ]);
  expect(await deltas(scriptedModel([{ text: "🐑🐕🐑" }], { deltaChars: 1 }))).toEqual(["🐑", "🐕", "🐑"]);
});

test("requests are recorded, and a turn can depend on its request", async () => {
  const model = scriptedModel([
    ({ prompt, tools }) => ({ text: `${prompt.length} message, ${tools.length} tool` }),
    ({ index, text }) => ({ text: `${index} ${text.includes("Bye")}` }),
  ]);
  const tools = [{ type: "function" as const, name: "read", inputSchema: {} }];
  expect(textOf(await partsOf(model, { ...call, tools, temperature: 0 }))).toBe("1 message, 1 tool");
  expect(textOf(await partsOf(model, { prompt: [{ role: "user", content: [{ type: "text", text: "Bye" }] }] }))).toBe(
    "1 true",
  );
  expect(
    model.requests.map((request) => [
      request.index,
      request.prompt.length,
      request.tools.length,
      request.options.temperature,
    ]),
  ).toEqual([
    [0, 1, 1, 0],
    [1, 1, 0, undefined],
  ]);
});

test("after the last turn comes an error, or the turn of afterLast", async () => {
  await expect(partsOf(scriptedModel([]))).rejects.toThrow(
    'The script has 0 turns, and this is request 1. Add a turn, or set "afterLast"',
  );
  const model = scriptedModel([{ text: "First." }], { afterLast: { text: "Done." } });
  expect([textOf(await partsOf(model)), textOf(await partsOf(model)), textOf(await partsOf(model))]).toEqual([
    "First.",
    "Done.",
    "Done.",
  ]);
});

test("doGenerate returns the complete reply", async () => {
  const model = scriptedModel([
    { thinking: "Hm.", text: "Let me look.", calls: [{ tool: "read", input: { path: "a" } }] },
    { text: "x", fault: { type: "eof" } },
  ]);
  const reply = await model.doGenerate(call);
  expect(reply.content).toEqual([
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Let me look." },
    { type: "tool-call", toolCallId: "call_0_0", toolName: "read", input: '{"path":"a"}' },
  ]);
  await expect(model.doGenerate(call)).rejects.toThrow("without a finish");
});

test("delays use the sleep option", async () => {
  const delays: number[] = [];
  const sleep: Sleep = async (ms) => {
    delays.push(ms);
  };
  await partsOf(scriptedModel([{ text: "a".repeat(24), delayMs: 60_000, deltaDelayMs: 10 }], { sleep }));
  expect(delays).toEqual([60_000, 10, 10]);
});

test("an abort ends the real sleep", async () => {
  const controller = new AbortController();
  const reading = partsOf(scriptedModel([{ text: "late", delayMs: 3_600_000 }]), {
    ...call,
    abortSignal: controller.signal,
  });
  controller.abort();
  await expect(reading).rejects.toThrow();
});

describe("faults", () => {
  const text = "The quick brown dog herds the sheep.";
  const reading = (fault: Fault, signal?: AbortSignal) =>
    partsOf(scriptedModel([{ text, fault }]), signal === undefined ? call : { ...call, abortSignal: signal });

  test("a status is thrown as the provider packages throw it", async () => {
    const error: unknown = await reading({ type: "status", status: 429, retryAfter: 2 }).catch(
      (thrown: unknown) => thrown,
    );
    if (!APICallError.isInstance(error)) throw new Error("There should be an API error.", { cause: error });
    expect([error.statusCode, error.isRetryable, error.responseHeaders]).toEqual([429, true, { "retry-after": "2" }]);
    await expect(reading({ type: "status", status: 401 })).rejects.toMatchObject({
      statusCode: 401,
      isRetryable: false,
    });
    await expect(reading({ type: "context-too-long" })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("too long"),
    });
  });

  test("an error comes after the given number of deltas and ends the reply", async () => {
    const parts = await reading({ type: "error", after: 2 });
    expect(textOf(parts)).toBe(text.slice(0, 24));
    expect(parts.at(-1)).toEqual({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded", statusCode: 529 },
    });
  });

  test("a reply can end without a finish, or break", async () => {
    expect((await reading({ type: "eof", after: 1 })).at(-1)).toEqual({
      type: "text-delta",
      id: "0",
      delta: text.slice(0, 12),
    });
    expect((await reading({ type: "eof", after: 0 })).map((part) => part.type)).toEqual(["stream-start"]);
    await expect(reading({ type: "reset", after: 1 })).rejects.toMatchObject({
      isRetryable: true,
      cause: { cause: { code: "ECONNRESET" } },
    });
    await expect(reading({ type: "cut", after: 1 })).rejects.toMatchObject({
      isRetryable: true,
      cause: { cause: { code: "UND_ERR_SOCKET" } },
    });
  });

  test.each([
    { type: "silence", after: 1 },
    { type: "pings", after: 0 },
    { type: "no-answer" },
    { type: "endless" },
  ] as const satisfies Fault[])("an abort ends $type", async (fault) => {
    const controller = new AbortController();
    setImmediate(() => controller.abort(new Error("enough")));
    await expect(reading(fault, controller.signal)).rejects.toThrow("enough");
  });

  test("a reader can cancel during silence", async () => {
    const { stream } = await scriptedModel([{ text, fault: { type: "silence", after: 0 } }]).doStream(call);
    const reader = stream.getReader();
    expect((await reader.read()).value?.type).toBe("stream-start");
    const waiting = reader.read();
    await reader.cancel();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test("endless text is created as it is read", async () => {
    const { stream } = await scriptedModel([{ text: "On and ", fault: { type: "endless", text: "on " } }]).doStream(
      call,
    );
    let read = "";
    for await (const part of stream) {
      if (part.type === "text-delta") read += part.delta;
      if (read.length > 1_000) break;
    }
    expect(read.startsWith("On and on on on ")).toBe(true);
  });

  test("a damaged delta is replaced by an error", async () => {
    const parts = await reading({ type: "malformed", at: 1 });
    expect(textOf(parts)).toBe(text.slice(0, 12) + text.slice(24));
    expect(parts.filter((part) => part.type === "error")).toHaveLength(1);
  });

  test("usage can be missing or nonsense, and ids can repeat", async () => {
    const id = "call_same";
    const model = scriptedModel([
      { text, usage: "missing" },
      { text, usage: { input: "12", output: -1 } },
      {
        calls: [
          { tool: "a", id },
          { tool: "b", id, inputText: '{"half' },
        ],
        stop: { raw: "weird" },
      },
    ]);
    const finishes = [(await partsOf(model)).at(-1), (await partsOf(model)).at(-1)];
    expect(finishes).toMatchObject([
      { usage: { inputTokens: { total: undefined } } },
      { usage: { inputTokens: { total: "12" }, outputTokens: { total: -1 } } },
    ]);
    const parts = await partsOf(model);
    expect(parts.filter((part) => part.type === "tool-call")).toMatchObject([
      { toolCallId: id, input: "{}" },
      { toolCallId: id, input: '{"half' },
    ]);
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: "other", raw: "weird" } });
  });

  test("a fault that the reply is too short for is an error", async () => {
    await expect(reading({ type: "eof", after: 4 })).rejects.toThrow(
      "needs a reply of at least 4 deltas, and this turn has 3",
    );
  });
});

test("a question for a second opinion takes no turn, unless the model is asked nothing else", async () => {
  const { system, prompt } = opinionBrief({ task: "Go.", calls: [], request: { fact: "", call: -1 } });
  const question = [
    { role: "system", content: system },
    { role: "user", content: [{ type: "text", text: prompt }] },
  ] as const;
  const turn = [{ role: "user", content: [{ type: "text", text: "Go." }] }] as const;
  const answersOf = async (model: ScriptedModel, prompts: readonly (typeof question | typeof turn)[]) => {
    const answers: string[] = [];
    for (const each of prompts) {
      const { content } = await model.doGenerate({ prompt: [...each] as ModelRequest["prompt"] }); // readonly above
      answers.push(content.map((part) => (part.type === "text" ? part.text : "")).join(""));
    }
    return answers;
  };
  const script = [{ text: "one" }, { text: "two" }];
  const unsure = '{"verdict":"unsure"}';
  expect(await answersOf(scriptedModel(script), [turn, question, turn])).toEqual(["one", unsure, "two"]);
  expect(await answersOf(scriptedModel(script), [question, question])).toEqual(["one", "two"]);
  const asked = scriptedModel(script, { opinion: { text: "yes" } });
  expect(await answersOf(asked, [question, turn])).toEqual(["yes", "one"]);
  expect([asked.requests.length, asked.opinionRequests.length]).toEqual([1, 1]);
});
