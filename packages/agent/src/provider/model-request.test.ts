import { APICallError, type LanguageModelV3CallOptions, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { z } from "zod";
import type { AgentEventBody } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import { ok, type Tool } from "../tools/tool.ts";
import type { ModelV4 } from "./model.ts";
import { type ModelRequest, type ModelRequestOptions, requestModel } from "./model-request.ts";

type Part = LanguageModelV3StreamPart | { readonly type: "ping" };
type Reply = (call: LanguageModelV3CallOptions) => PromiseLike<{ readonly stream: ReadableStream<Part> }>;

/** A model that gives one reply after the other, and keeps what it was asked. */
function modelOf(replies: readonly Reply[], modelId = "first") {
  const calls: LanguageModelV3CallOptions[] = [];
  const model: ModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId,
    doStream: (call) => {
      calls.push(call);
      const reply = replies[calls.length - 1];
      if (reply === undefined) throw new Error("The test has no more replies.");
      return reply(call);
    },
  };
  return { model, calls };
}

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const told = { input: 100, cacheRead: 0, cacheWrite: 0, output: 5, isEstimated: false };
const finish = (unified: "stop" | "tool-calls" | "length" | "error" = "stop"): Part => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage,
});
const text = (...words: string[]): Part[] => words.map((delta) => ({ type: "text-delta", id: "0", delta }));
const call = (id: string, input = "{}"): Part[] => [
  { type: "tool-input-start", id, toolName: "read" },
  { type: "tool-input-delta", id, delta: input },
  { type: "tool-call", toolCallId: id, toolName: "read", input },
];

const stream =
  (...parts: Part[]): Reply =>
  async () => ({ stream: ReadableStream.from(parts) });
/** The parts, and then nothing for ever; it takes no notice of an abort. */
const hanging =
  (...parts: Part[]): Reply =>
  async () => ({
    stream: new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
      },
      cancel: () => new Promise(() => undefined),
    }),
  });
const throwing =
  (error: unknown): Reply =>
  async () => {
    throw error;
  };
const status = (statusCode: number, headers: Record<string, string> = {}): Reply =>
  throwing(
    new APICallError({
      message: "No.",
      url: "https://host",
      requestBodyValues: {},
      statusCode,
      responseHeaders: headers,
    }),
  );

const request: ModelRequest = {
  system: "You are.",
  messages: [{ role: "user", id: "u", at: 0, origin: "person", text: "Go." }],
  tools: [],
  maxOutputTokens: 1_000,
};

/** Asks with everything in the test's hand; timers fire when told to. */
function asking(replies: readonly Reply[], more: Partial<ModelRequestOptions & { request: ModelRequest }> = {}) {
  const { model, calls } = modelOf(replies);
  const events: AgentEventBody[] = [];
  const log: string[] = [];
  const slept: number[] = [];
  const timers: { fire: () => void; isStopped: boolean }[] = [];
  const control = new AbortController();
  let ids = 0;
  const answer = requestModel(more.request ?? request, {
    models: [model],
    maxRetries: 3,
    firstByteMs: 10_000,
    betweenMs: 5_000,
    signal: control.signal,
    emit: (event) => void events.push(event),
    onDelta: () => "go-on",
    onWaiting: (what) => void log.push(what),
    onAttemptStart: () => void log.push("started"),
    clock: {
      now: () => 7,
      sleep: async (ms) => void slept.push(ms),
      random: () => 0.5,
      newId: (prefix) => `${prefix}_${++ids}`,
    },
    estimate: (texts) => texts.join("").length,
    startTimer: (_ms, fire) => {
      const timer = { fire, isStopped: false };
      timers.push(timer);
      return { refresh() {}, stop: () => void Object.assign(timer, { isStopped: true }) };
    },
    ...more,
  });
  return { answer, calls, events, log, slept, timers, control };
}

const ends = (events: readonly AgentEventBody[]) => events.filter((event) => event.type === "StreamEnd");
/** An attempt that failed before its first word. */
const free = expect.not.objectContaining({ usage: expect.anything() });
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a reply is streamed, and becomes a message", async () => {
  const { answer, events, log, calls, slept } = asking([
    stream(
      { type: "stream-start", warnings: [] },
      ...text("Hel", "lo."),
      ...call("a", '{"n":1}'),
      finish("tool-calls"),
    ),
  ]);
  expect(await answer).toEqual({
    ok: true,
    message: {
      role: "assistant",
      id: expect.stringMatching(/^msg_/),
      at: 7,
      parts: [
        { type: "text", text: "Hello." },
        { type: "call", id: "a", tool: "read", input: { n: 1 } },
      ],
      stop: "calls",
      model: "first",
      usage: told,
    },
    model: "first",
    attempts: 1,
    spent: [{ id: expect.stringMatching(/^req_/), at: 7, model: "first", usage: told }],
    usage: told,
  });
  expect(events).toEqual([
    { type: "TextDelta", text: "Hel" },
    { type: "TextDelta", text: "lo." },
    { type: "ToolUseStart", callId: "a", tool: "read" },
    { type: "ToolInputDelta", callId: "a", text: '{"n":1}' },
    { type: "StreamEnd", isComplete: true },
  ]);
  expect([log, slept]).toEqual([["started", "first-byte", "stream"], []]);
  expect(calls[0]).toMatchObject({ maxOutputTokens: 1_000, prompt: [{ role: "system" }, { role: "user" }] });
});

test("a refused request is made again, each time after a longer wait, and is booked as free", async () => {
  const { answer, events, slept, log } = asking([
    status(429, { "retry-after": "2" }),
    status(529),
    status(500),
    stream(...text("Hi."), finish()),
  ]);
  expect(await answer).toMatchObject({ ok: true, attempts: 4, spent: [free, free, free, { usage: told }] });
  expect(slept).toEqual([2_100, 1_000, 2_000]);
  expect(events.filter((event) => event.type === "ProviderRetry")).toEqual([
    {
      type: "ProviderRetry",
      attempt: 2,
      waitMs: 2_100,
      problem: "The provider refuses because of too many requests (429): No.",
      model: "first",
    },
    {
      type: "ProviderRetry",
      attempt: 3,
      waitMs: 1_000,
      problem: "The provider is overloaded (529): No.",
      model: "first",
    },
    { type: "ProviderRetry", attempt: 4, waitMs: 2_000, problem: "The provider failed (500): No.", model: "first" },
  ]);
  expect(ends(events)).toHaveLength(4);
  expect(log.filter((what) => what === "started")).toHaveLength(4);
  expect(log.filter((what) => what === "rate-limit")).toHaveLength(3);
});

test("after the last attempt the failure is told", async () => {
  const { answer, events } = asking([status(503), status(503), status(503), status(503)]);
  expect(await answer).toMatchObject({
    ok: false,
    attempts: 4,
    failure: { kind: "overloaded" },
    spent: [free, free, free, free],
  });
  expect(ends(events)).toHaveLength(4);
});

test.each([
  [400, "unknown"],
  [401, "auth"],
  [403, "auth"],
  [404, "not-found"],
  [413, "context-too-long"],
])("status %d is not tried again", async (code, kind) => {
  const { answer, slept } = asking([status(code)]);
  expect(await answer).toMatchObject({ ok: false, attempts: 1, failure: { kind } });
  expect(slept).toEqual([]);
});

test("a fallback is asked where the first fails for good, but not where the conversation is too long", async () => {
  const second = modelOf([stream(...text("Here."), finish())], "second");
  const { answer, events } = asking([], { models: [modelOf([status(401)]).model, second.model] });
  expect(await answer).toMatchObject({ ok: true, model: "second", attempts: 2, message: { model: "second" } });
  expect(events.filter((event) => event.type === "ProviderRetry")).toMatchObject([
    { attempt: 2, waitMs: 0, model: "second" },
  ]);
  expect(await asking([], { models: [modelOf([status(413)]).model, second.model] }).answer).toMatchObject({
    ok: false,
    attempts: 1,
  });
});

test("half a reply before an error is thrown away, and booked", async () => {
  const overloaded: Part = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const { answer, events } = asking([
    stream(...text("Half a", " reply"), ...call("a"), overloaded),
    stream(...text("Whole."), ...call("a"), finish("tool-calls")),
  ]);
  const lost = {
    input: "You are.Go.".length,
    cacheRead: 0,
    cacheWrite: 0,
    output: "Half a reply{}".length,
    isEstimated: true,
  };
  expect(await answer).toMatchObject({
    ok: true,
    message: { parts: [{ type: "text", text: "Whole." }, { id: "a" }], usage: told },
    spent: [{ usage: lost }, { usage: told }],
    usage: { input: lost.input + 100, output: lost.output + 5, isEstimated: true },
  });
  expect(ends(events)).toEqual([
    { type: "StreamEnd", isComplete: false, problem: "The provider is overloaded: Overloaded." },
    { type: "StreamEnd", isComplete: true },
  ]);
});

test("a stream that breaks is one that failed", async () => {
  const breaking: Reply = async () => ({
    stream: new ReadableStream({
      pull(controller) {
        controller.error(Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } }));
      },
    }),
  });
  const { answer, events } = asking([breaking, stream(...text("Hi."), finish())]);
  expect(await answer).toMatchObject({ ok: true, attempts: 2 });
  expect(ends(events)).toMatchObject([{ isComplete: false }, { isComplete: true }]);
});

test("calls of a reply that ends without a finish are not to be run", async () => {
  const problem = "The reply broke off, so the call was not run";
  const { answer, events } = asking([stream(...text("Hm."), ...call("a"))]);
  expect(await answer).toMatchObject({
    ok: true,
    message: {
      stop: "incomplete",
      parts: [{ text: "Hm." }, { input: undefined, problem }],
      usage: { isEstimated: true },
    },
  });
  expect(ends(events)).toEqual([
    { type: "StreamEnd", isComplete: false, problem: "The stream ended without a finish." },
  ]);
});

test("a finish that the SDK made up at the end of the connection is none", async () => {
  const madeUp: Part = { type: "finish", finishReason: { unified: "other", raw: undefined }, usage };
  expect(await asking([stream(...call("a"), madeUp)]).answer).toMatchObject({
    ok: true,
    message: { stop: "incomplete", parts: [{ input: undefined }] },
  });
});

test("calls cut off at the length limit are not to be run", async () => {
  const { answer } = asking([stream(...call("a"), ...call("b", '{"pa'), finish("length"))]);
  const problem = "The reply was cut off at its length limit, so the call was not run";
  expect(await answer).toMatchObject({ ok: true, message: { stop: "length", parts: [{ problem }, { problem }] } });
});

test("nothing at all is a failure, an empty reply with a finish is not", async () => {
  expect(await asking([stream(), stream(), stream(), stream()]).answer).toMatchObject({
    ok: false,
    attempts: 4,
    failure: { kind: "bad-response" },
    spent: [free, free, free, free],
  });
  expect(await asking([stream(finish())]).answer).toMatchObject({ ok: true, message: { parts: [], stop: "end" } });
});

test("a reply that the provider gave up on is asked for again, and booked as it was told", async () => {
  expect(await asking([stream(...text("Hm"), finish("error")), stream(...text("Hi."), finish())]).answer).toMatchObject(
    {
      ok: true,
      attempts: 2,
      spent: [{ usage: told }, { usage: told }],
    },
  );
});

test("usage that cannot be is counted here", async () => {
  const broken = {
    ...finish(),
    usage: { inputTokens: { total: Number.NaN }, outputTokens: { total: -1 } },
  } as unknown as Part;
  expect(await asking([stream(...text("Hi."), broken)]).answer).toMatchObject({
    message: { usage: { input: "You are.Go.".length, output: 3, isEstimated: true } },
  });
});

test("an id that the session has seen before is replaced", async () => {
  const seen: Message = {
    role: "assistant",
    id: "m",
    at: 0,
    parts: [{ type: "call", id: "a", tool: "read", input: {} }],
    stop: "calls",
    model: "m",
    usage: told,
  };
  const { answer } = asking([stream(...call("a"), finish("tool-calls"))], {
    request: { ...request, messages: [...request.messages, seen] },
  });
  expect(await answer).toMatchObject({ message: { parts: [{ id: "call_1" }] } });
});

test("silence before the first part is a timeout, and so is silence after some", async () => {
  const { answer, timers, events } = asking(
    [hanging({ type: "stream-start", warnings: [] }, { type: "ping" }), hanging(...text("Hi."))],
    { maxRetries: 1 },
  );
  await soon();
  expect(timers).toHaveLength(1); // neither a ping nor the SDK's own start is a sign of life
  timers[0]?.fire();
  await soon();
  timers.at(-1)?.fire();
  expect(await answer).toMatchObject({
    ok: false,
    attempts: 2,
    failure: { kind: "timeout", problem: "The provider fell silent for 5 seconds in the middle of its reply." },
    spent: [{ usage: { output: 0, isEstimated: true } }, { usage: { output: 3, isEstimated: true } }],
  });
  expect(ends(events)).toMatchObject([
    { isComplete: false, problem: "The provider sent nothing for 10 seconds." },
    { isComplete: false },
  ]);
  expect(timers.every((timer) => timer.isStopped)).toBe(true);
});

test("a provider that never answers times out too", async () => {
  const { answer, timers, calls } = asking([() => new Promise(() => undefined)], { maxRetries: 0 });
  await soon();
  timers[0]?.fire();
  expect(await answer).toMatchObject({
    ok: false,
    failure: { kind: "timeout" },
    spent: [{ usage: { output: 0, isEstimated: true } }],
  });
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});

test.each<[string, Reply]>([
  ["before it answers", () => new Promise(() => undefined)],
  ["before the first part", hanging()],
  ["in the middle", hanging(...text("Hi."), ...call("a"))],
])("an abort ends a request %s, though the provider ignores it", async (_when, reply) => {
  const { answer, control, events, timers } = asking([reply]);
  await soon();
  control.abort();
  expect(await answer).toMatchObject({
    ok: false,
    attempts: 1,
    failure: { kind: "cancelled", isRetryable: false },
  });
  expect(ends(events)).toEqual([{ type: "StreamEnd", isComplete: false, problem: "The request was cancelled." }]);
  expect(timers.every((timer) => timer.isStopped)).toBe(true);
});

test("an abort at any moment while the stream is handed over is heard", async () => {
  for (let steps = 0; steps < 12; steps += 1) {
    const control = new AbortController();
    const handingOver: Reply = async (call) => {
      void (async () => {
        for (let step = 0; step < steps; step += 1) await undefined;
        control.abort();
      })();
      return hanging()(call);
    };
    expect(await asking([handingOver], { signal: control.signal }).answer).toMatchObject({
      ok: false,
      failure: { kind: "cancelled" },
    });
  }
});

test("what was used until an abort is booked", async () => {
  const { answer, control } = asking([hanging(...text("Hi."))]);
  await soon();
  control.abort();
  expect(await answer).toMatchObject({ usage: { input: "You are.Go.".length, output: 3, isEstimated: true } });
});

test("an abort before the start asks nobody", async () => {
  const { answer, calls, events } = asking([stream(finish())], { signal: AbortSignal.abort() });
  expect(await answer).toEqual({
    ok: false,
    failure: { kind: "cancelled", problem: "The request was cancelled.", isRetryable: false },
    model: "first",
    attempts: 0,
    spent: [],
  });
  expect([calls, events]).toEqual([[], []]);
});

test("an abort ends the wait before the next attempt, though the clock ignores it", async () => {
  const clock: ModelRequestOptions["clock"] = {
    now: () => 0,
    sleep: () => new Promise(() => undefined),
    random: () => 1,
    newId: (prefix) => prefix,
  };
  const { answer, control } = asking([status(429)], { clock });
  await soon();
  control.abort();
  expect(await answer).toMatchObject({ ok: false, attempts: 1, failure: { kind: "cancelled" } });
});

test("an abort is heard in a stream that is always ready, and an endless one ends by itself", async () => {
  const endless: Reply = async () => ({
    stream: new ReadableStream({
      pull: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta: "a" }),
    }),
  });
  const { answer, control } = asking([endless]);
  setTimeout(() => control.abort(), 1);
  expect(await answer).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
  const chatty: Reply = async () => ({
    stream: new ReadableStream({
      pull: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta: "a".repeat(10_000) }),
    }),
  });
  expect(await asking([chatty]).answer).toMatchObject({
    ok: true,
    message: { stop: "length", usage: { isEstimated: true } },
  });
});

test("who listens can interrupt: the rest is cut off, the request ended, and no call can be run", async () => {
  const heard: unknown[] = [];
  const { answer, calls, events } = asking(
    [hanging(...call("a"), ...text("Well. ", "so so so so"), ...text("never heard"))],
    {
      onDelta: (channel, text) => {
        heard.push({ channel, text });
        return text.startsWith("so") ? { interrupt: 9 } : "go-on";
      },
    },
  );
  const problem = "The reply was interrupted, so the call was not run";
  expect(await answer).toMatchObject({
    ok: true,
    attempts: 1,
    message: {
      stop: "interrupted",
      parts: [{ input: undefined, problem }, { text: "Well. so" }],
      usage: { isEstimated: true },
    },
  });
  expect(heard).toEqual([
    { channel: "tool-input", text: "{}" },
    { channel: "text", text: "Well. " },
    { channel: "text", text: "so so so so" },
  ]);
  expect(ends(events)).toEqual([{ type: "StreamEnd", isComplete: false }]);
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});

test("a provider that calls its own failure an abort is asked again", async () => {
  expect(
    await asking([throwing(new DOMException("aborted", "AbortError")), stream(...text("Hi."), finish())]).answer,
  ).toMatchObject({ ok: true, attempts: 2 });
});

test("what is no model, no stream or no tool is told in a sentence", async () => {
  const old = { ...modelOf([]).model, specificationVersion: "v2" } as unknown as ModelV4;
  expect(await asking([], { models: [old] }).answer).toMatchObject({
    ok: false,
    failure: { problem: expect.stringContaining("v3 or v4 is needed") },
  });
  expect(await asking([], { models: [] }).answer).toMatchObject({
    ok: false,
    attempts: 0,
    failure: { problem: "No model was given to ask." },
  });
  expect(await asking([async () => ({}) as never]).answer).toMatchObject({
    ok: false,
    failure: { problem: expect.stringContaining("no stream") },
  });
  const tool: Tool = { name: "odd", description: "", input: z.string(), kind: "read", run: async () => ok("") };
  expect(await asking([], { request: { ...request, tools: [tool] } }).answer).toMatchObject({
    ok: false,
    attempts: 0,
    failure: { problem: expect.stringContaining("must be an object") },
  });
});

test("a listener that throws still lets the stream end", async () => {
  const { answer, events, calls } = asking([hanging(...text("Hi."))], {
    onDelta: () => {
      throw new Error("The listener broke.");
    },
  });
  expect(await answer).toMatchObject({ ok: false, attempts: 1, failure: { kind: "unknown" } });
  expect(ends(events)).toHaveLength(1);
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});
