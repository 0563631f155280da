import { expect, test } from "vitest";
import type { Message } from "../protocol/messages.ts";
import type { ModelV4 } from "./model.ts";
import {
  call,
  ends,
  finish,
  modelOf,
  type Part,
  type Reply,
  reportedUsage,
  request,
  send,
  status,
  stream,
  text,
  usage,
} from "./testing/send-request.ts";

/** An attempt that failed before the first part. */
const free = expect.not.objectContaining({ usage: expect.anything() });

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
    { type: "StreamEnd", isComplete: true, text: "Hello." },
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
  expect(slept).toEqual([2_100, 1_500, 3_000]);
  expect(events.filter((event) => event.type === "ProviderRetry")).toEqual([
    {
      type: "ProviderRetry",
      attempt: 2,
      waitMs: 2_100,
      waitingFor: "rate-limit",
      since: expect.any(Number),
      problem: "The provider reports too many requests (429): No.",
      model: "first",
    },
    {
      type: "ProviderRetry",
      attempt: 3,
      waitMs: 1_500,
      waitingFor: "overloaded",
      since: expect.any(Number),
      problem: "The provider is overloaded (529): No.",
      model: "first",
    },
    {
      type: "ProviderRetry",
      attempt: 4,
      waitMs: 3_000,
      waitingFor: "overloaded",
      since: expect.any(Number),
      problem: "The provider failed (500): No.",
      model: "first",
    },
  ]);
  const starts = events.flatMap((event) => (event.type === "ProviderRetry" ? [event.since] : []));
  expect(new Set(starts).size).toBe(1); // since the first failure
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
    { type: "StreamEnd", isComplete: true, text: "Whole." },
  ]);
});

test("a stream that ends before its first word costs the input that the provider has counted", async () => {
  const counted = { type: "message_start", message: { usage: { input_tokens: 127 } } };
  const { response } = send([stream({ type: "raw", rawValue: counted }), stream(...text("Hi."), finish())]);
  const { attemptUsages } = await response;
  expect(attemptUsages).toMatchObject([{ usage: { input: 127, output: 0 } }, { usage: reportedUsage }]);
  const { attemptUsages: uncounted } = await send([stream(), stream(...text("Hi."), finish())]).response;
  expect(uncounted[0]).toEqual(free);
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
    { type: "StreamEnd", isComplete: false, problem: "The stream ended without a finish.", text: "Hm." },
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
  expect(await response).toMatchObject({ message: { parts: [{ id: "call_2" }] } });
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
