import { expect, test } from "vitest";
import type { ModelRequestOptions } from "./model-request.ts";
import {
  call,
  ends,
  finish,
  hanging,
  type Reply,
  send,
  soon,
  status,
  stream,
  text,
  throwing,
} from "./testing/send-request.ts";

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
    message: { stop: "overlong", usage: { isEstimated: true } },
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
  expect(ends(events)).toEqual([{ type: "StreamEnd", isComplete: false, text: "Well. so" }]);
  expect(calls[0]?.abortSignal?.aborted).toBe(true);
});

test("an abort reported by the provider itself is retried", async () => {
  expect(
    await send([throwing(new DOMException("aborted", "AbortError")), stream(...text("Hi."), finish())]).response,
  ).toMatchObject({ ok: true, attempts: 2 });
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
