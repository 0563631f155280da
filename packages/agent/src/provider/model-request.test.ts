import { APICallError, type LanguageModelV3CallOptions, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import type { AgentEventBody } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import type { ModelV4 } from "./model.ts";
import { type ModelRequest, type ModelRequestOptions, requestModel } from "./model-request.ts";

type Part = LanguageModelV3StreamPart | { readonly type: "ping" };
type Reply = (call: LanguageModelV3CallOptions) => PromiseLike<{ readonly stream: ReadableStream<Part> }>;

/** A model that gives one reply after the other and records the calls. */
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
const reportedUsage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 5, isEstimated: false };
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
/** The parts, and then silence; it ignores an abort. */
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

/** Sends a request with a manual clock; the test fires the timers. */
function send(replies: readonly Reply[], more: Partial<ModelRequestOptions & { request: ModelRequest }> = {}) {
  const { model, calls } = modelOf(replies);
  const events: AgentEventBody[] = [];
  const log: string[] = [];
  const slept: number[] = [];
  const timers: { fire: () => void; isStopped: boolean }[] = [];
  const control = new AbortController();
  let ids = 0;
  const response = requestModel(more.request ?? request, {
    models: [model],
    maxRetries: 3,
    firstByteMs: 10_000,
    betweenMs: 5_000,
    signal: control.signal,
    emit: (event) => void events.push(event),
    onDelta: () => "continue",
    onWaiting: (what) => void log.push(what),
    onAttemptStart: () => void log.push("started"),
    clock: {
      now: () => 7,
      sleep: async (ms) => void slept.push(ms),
      random: () => 0.5,
      newId: (prefix) => `${prefix}_${++ids}`,
    },
    inputTokens: 11,
    countTokens: (text) => text.length,
    startTimer: (_ms, fire) => {
      const timer = { fire, isStopped: false };
      timers.push(timer);
      return { refresh() {}, stop: () => void Object.assign(timer, { isStopped: true }) };
    },
    ...more,
  });
  return { response, calls, events, log, slept, timers, control };
}

const ends = (events: readonly AgentEventBody[]) => events.filter((event) => event.type === "StreamEnd");
/** An attempt that failed before the first part. */
const free = expect.not.objectContaining({ usage: expect.anything() });
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a reply is streamed and becomes a message", async () => {
  const { response, events, log, calls, slept } = send([
    stream(
      { type: "stream-start", warnings: [] },
      ...text("Hel", "lo."),
      ...call("a", '{"n":1}'),
      finish("tool-calls"),
    ),
  ]);
  expect(await response).toEqual({
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
      usage: reportedUsage,
    },
    model: "first",
    attempts: 1,
    attemptUsages: [{ id: expect.stringMatching(/^req_/), at: 7, model: "first", usage: reportedUsage }],
    usage: reportedUsage,
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

test("a refused request is retried with growing waits, and is free", async () => {
  const { response, events, slept, log } = send([
    status(429, { "retry-after": "2" }),
    status(529),
    status(500),
    stream(...text("Hi."), finish()),
  ]);
  expect(await response).toMatchObject({
    ok: true,
    attempts: 4,
    attemptUsages: [free, free, free, { usage: reportedUsage }],
  });
  expect(slept).toEqual([2_100, 1_000, 2_000]);
  expect(events.filter((event) => event.type === "ProviderRetry")).toEqual([
    {
      type: "ProviderRetry",
      attempt: 2,
      waitMs: 2_100,
      problem: "The provider reports too many requests (429): No.",
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

test("the failure of the last attempt is returned", async () => {
  const { response, events } = send([status(503), status(503), status(503), status(503)]);
  expect(await response).toMatchObject({
    ok: false,
    attempts: 4,
    failure: { kind: "overloaded" },
    attemptUsages: [free, free, free, free],
  });
  expect(ends(events)).toHaveLength(4);
});

test.each([
  [400, "unknown"],
  [401, "auth"],
  [403, "auth"],
  [404, "not-found"],
  [413, "context-too-long"],
])("status %d is not retried", async (code, kind) => {
  const { response, slept } = send([status(code)]);
  expect(await response).toMatchObject({ ok: false, attempts: 1, failure: { kind } });
  expect(slept).toEqual([]);
});

test("a fallback is used if the first model fails for good, but not if the conversation is too long", async () => {
  const second = modelOf([stream(...text("Here."), finish())], "second");
  const { response, events } = send([], { models: [modelOf([status(401)]).model, second.model] });
  expect(await response).toMatchObject({ ok: true, model: "second", attempts: 2, message: { model: "second" } });
  expect(events.filter((event) => event.type === "ProviderRetry")).toMatchObject([
    { attempt: 2, waitMs: 0, model: "second" },
  ]);
  expect(await send([], { models: [modelOf([status(413)]).model, second.model] }).response).toMatchObject({
    ok: false,
    attempts: 1,
  });
});

test("half a reply before an error is discarded, and its usage recorded", async () => {
  const overloaded: Part = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const { response, events } = send([
    stream(...text("Half a", " reply"), ...call("a"), overloaded),
    stream(...text("Whole."), ...call("a"), finish("tool-calls")),
  ]);
  const lost = {
    input: 11,
    cacheRead: 0,
    cacheWrite: 0,
    output: "Half a reply{}".length,
    isEstimated: true,
  };
  expect(await response).toMatchObject({
    ok: true,
    message: { parts: [{ type: "text", text: "Whole." }, { id: "a" }], usage: reportedUsage },
    attemptUsages: [{ usage: lost }, { usage: reportedUsage }],
    usage: { input: lost.input + 100, output: lost.output + 5, isEstimated: true },
  });
  expect(ends(events)).toEqual([
    { type: "StreamEnd", isComplete: false, problem: "The provider is overloaded: Overloaded." },
    { type: "StreamEnd", isComplete: true },
  ]);
});

test("a stream that breaks is a failed attempt", async () => {
  const breaking: Reply = async () => ({
    stream: new ReadableStream({
      pull(controller) {
        controller.error(Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } }));
      },
    }),
  });
  const { response, events } = send([breaking, stream(...text("Hi."), finish())]);
  expect(await response).toMatchObject({ ok: true, attempts: 2 });
  expect(ends(events)).toMatchObject([{ isComplete: false }, { isComplete: true }]);
});

test("calls of a reply that ends without a finish must not run", async () => {
  const problem = "The reply broke off, so the call was not run";
  const { response, events } = send([stream(...text("Hm."), ...call("a"))]);
  expect(await response).toMatchObject({
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

test("a finish that the SDK adds at the end of a connection does not count", async () => {
  const madeUp: Part = { type: "finish", finishReason: { unified: "other", raw: undefined }, usage };
  expect(await send([stream(...call("a"), madeUp)]).response).toMatchObject({
    ok: true,
    message: { stop: "incomplete", parts: [{ input: undefined }] },
  });
});

test("calls cut off at the length limit must not run", async () => {
  const { response } = send([stream(...call("a"), ...call("b", '{"pa'), finish("length"))]);
  const problem = "The reply was cut off at its length limit, so the call was not run";
  expect(await response).toMatchObject({ ok: true, message: { stop: "length", parts: [{ problem }, { problem }] } });
});

test("an empty stream is a failure, an empty reply with a finish is not", async () => {
  expect(await send([stream(), stream(), stream(), stream()]).response).toMatchObject({
    ok: false,
    attempts: 4,
    failure: { kind: "bad-response" },
    attemptUsages: [free, free, free, free],
  });
  expect(await send([stream(finish())]).response).toMatchObject({ ok: true, message: { parts: [], stop: "end" } });
});

test("a reply that the provider could not finish is retried, and its reported usage recorded", async () => {
  expect(await send([stream(...text("Hm"), finish("error")), stream(...text("Hi."), finish())]).response).toMatchObject(
    {
      ok: true,
      attempts: 2,
      attemptUsages: [{ usage: reportedUsage }, { usage: reportedUsage }],
    },
  );
});

test("implausible usage is replaced by our own count", async () => {
  const broken = {
    ...finish(),
    usage: { inputTokens: { total: Number.NaN }, outputTokens: { total: -1 } },
  } as unknown as Part;
  expect(await send([stream(...text("Hi."), broken)]).response).toMatchObject({
    message: { usage: { input: 11, output: 3, isEstimated: true } },
  });
});

test("an id that the session used before is replaced", async () => {
  const seen: Message = {
    role: "assistant",
    id: "m",
    at: 0,
    parts: [{ type: "call", id: "a", tool: "read", input: {} }],
    stop: "calls",
    model: "m",
    usage: reportedUsage,
  };
  const { response } = send([stream(...call("a"), finish("tool-calls"))], {
    request: { ...request, messages: [...request.messages, seen] },
  });
  expect(await response).toMatchObject({ message: { parts: [{ id: "call_1" }] } });
});

test("silence before the first part is a timeout, and so is silence between parts", async () => {
  const { response, timers, events } = send(
    [hanging({ type: "stream-start", warnings: [] }, { type: "ping" }), hanging(...text("Hi."))],
    { maxRetries: 1 },
  );
  await soon();
  expect(timers).toHaveLength(1); // neither a ping nor the SDK's own start counts as activity
  timers[0]?.fire();
  await soon();
  timers.at(-1)?.fire();
  expect(await response).toMatchObject({
    ok: false,
    attempts: 2,
    failure: { kind: "timeout", problem: "The provider sent nothing for 5 seconds in the middle of its reply." },
    attemptUsages: [{ usage: { output: 0, isEstimated: true } }, { usage: { output: 3, isEstimated: true } }],
  });
  expect(ends(events)).toMatchObject([
    { isComplete: false, problem: "The provider sent nothing for 10 seconds." },
    { isComplete: false },
  ]);
  expect(timers.every((timer) => timer.isStopped)).toBe(true);
});

test("a provider that never answers times out too", async () => {
  const { response, timers, calls } = send([() => new Promise(() => undefined)], { maxRetries: 0 });
  await soon();
  timers[0]?.fire();
  expect(await response).toMatchObject({
    ok: false,
    failure: { kind: "timeout" },
    attemptUsages: [{ usage: { output: 0, isEstimated: true } }],
  });
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});

test.each<[string, Reply]>([
  ["before it answers", () => new Promise(() => undefined)],
  ["before the first part", hanging()],
  ["in the middle", hanging(...text("Hi."), ...call("a"))],
])("an abort ends a request %s, though the provider ignores it", async (_when, reply) => {
  const { response, control, events, timers } = send([reply]);
  await soon();
  control.abort();
  expect(await response).toMatchObject({
    ok: false,
    attempts: 1,
    failure: { kind: "cancelled", isRetryable: false },
  });
  expect(ends(events)).toEqual([{ type: "StreamEnd", isComplete: false, problem: "The request was cancelled." }]);
  expect(timers.every((timer) => timer.isStopped)).toBe(true);
});

test("an abort at any moment while the stream opens is noticed", async () => {
  for (let steps = 0; steps < 12; steps += 1) {
    const control = new AbortController();
    const opening: Reply = async (call) => {
      void (async () => {
        for (let step = 0; step < steps; step += 1) await undefined;
        control.abort();
      })();
      return hanging()(call);
    };
    expect(await send([opening], { signal: control.signal }).response).toMatchObject({
      ok: false,
      failure: { kind: "cancelled" },
    });
  }
});

test("the usage until an abort is recorded", async () => {
  const { response, control } = send([hanging(...text("Hi."))]);
  await soon();
  control.abort();
  expect(await response).toMatchObject({ usage: { input: 11, output: 3, isEstimated: true } });
});

test("after an abort no request is sent", async () => {
  const { response, calls, events } = send([stream(finish())], { signal: AbortSignal.abort() });
  expect(await response).toEqual({
    ok: false,
    failure: { kind: "cancelled", problem: "The request was cancelled.", isRetryable: false },
    model: "first",
    attempts: 0,
    attemptUsages: [],
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
  const { response, control } = send([status(429)], { clock });
  await soon();
  control.abort();
  expect(await response).toMatchObject({ ok: false, attempts: 1, failure: { kind: "cancelled" } });
});

test("an abort is noticed in a stream that is always ready, and an endless stream ends at its limit", async () => {
  const endless: Reply = async () => ({
    stream: new ReadableStream({
      pull: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta: "a" }),
    }),
  });
  const { response, control } = send([endless]);
  setTimeout(() => control.abort(), 1);
  expect(await response).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
  const chatty: Reply = async () => ({
    stream: new ReadableStream({
      pull: (controller) => controller.enqueue({ type: "text-delta", id: "0", delta: "a".repeat(10_000) }),
    }),
  });
  expect(await send([chatty]).response).toMatchObject({
    ok: true,
    message: { stop: "length", usage: { isEstimated: true } },
  });
});

test("onDelta can interrupt: the surplus is cut off, the request ended, and no call may run", async () => {
  const received: unknown[] = [];
  const { response, calls, events } = send(
    [hanging(...call("a"), ...text("Well. ", "so so so so"), ...text("never received"))],
    {
      onDelta: (channel, text) => {
        received.push({ channel, text });
        return text.startsWith("so") ? { interrupt: 9 } : "continue";
      },
    },
  );
  const problem = "The reply was interrupted, so the call was not run";
  expect(await response).toMatchObject({
    ok: true,
    attempts: 1,
    message: {
      stop: "interrupted",
      parts: [{ input: undefined, problem }, { text: "Well. so" }],
      usage: { isEstimated: true },
    },
  });
  expect(received).toEqual([
    { channel: "tool-input", text: "{}" },
    { channel: "text", text: "Well. " },
    { channel: "text", text: "so so so so" },
  ]);
  expect(ends(events)).toEqual([{ type: "StreamEnd", isComplete: false }]);
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});

test("an abort reported by the provider itself is retried", async () => {
  expect(
    await send([throwing(new DOMException("aborted", "AbortError")), stream(...text("Hi."), finish())]).response,
  ).toMatchObject({ ok: true, attempts: 2 });
});

test("a missing model, a missing stream and an unsupported version are reported in a sentence", async () => {
  const old = { ...modelOf([]).model, specificationVersion: "v2" } as unknown as ModelV4;
  expect(await send([], { models: [old] }).response).toMatchObject({
    ok: false,
    failure: { problem: expect.stringContaining("v3 or v4 is needed") },
  });
  expect(await send([], { models: [] }).response).toMatchObject({
    ok: false,
    attempts: 0,
    failure: { problem: "No model was given." },
  });
  expect(await send([async () => ({}) as never]).response).toMatchObject({
    ok: false,
    failure: { problem: expect.stringContaining("no stream") },
  });
});

test("if onDelta throws, the stream ends too", async () => {
  const { response, events, calls } = send([hanging(...text("Hi."))], {
    onDelta: () => {
      throw new Error("onDelta failed.");
    },
  });
  expect(await response).toMatchObject({ ok: false, attempts: 1, failure: { kind: "unknown" } });
  expect(ends(events)).toHaveLength(1);
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});
