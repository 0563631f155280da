import { APICallError, type LanguageModelV3CallOptions, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { AgentEventBody } from "../../protocol/events.ts";
import type { ModelV4 } from "../model.ts";
import { type ModelRequest, type ModelRequestOptions, type ModelResponse, requestModel } from "../model-request.ts";

export type Part = LanguageModelV3StreamPart | { readonly type: "ping" };
export type Reply = (call: LanguageModelV3CallOptions) => PromiseLike<{ readonly stream: ReadableStream<Part> }>;

interface RecordingModel {
  readonly model: ModelV4;
  readonly calls: readonly LanguageModelV3CallOptions[];
}

/** A model that gives one reply after the other and records the calls. */
export function modelOf(replies: readonly Reply[], modelId = "first"): RecordingModel {
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

export const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
export const reportedUsage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 5, isEstimated: false };
export const finish = (unified: "stop" | "tool-calls" | "length" | "error" = "stop"): Part => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage,
});
export const text = (...words: string[]): Part[] => words.map((delta) => ({ type: "text-delta", id: "0", delta }));
export const call = (id: string, input = "{}"): Part[] => [
  { type: "tool-input-start", id, toolName: "read" },
  { type: "tool-input-delta", id, delta: input },
  { type: "tool-call", toolCallId: id, toolName: "read", input },
];

export const stream =
  (...parts: Part[]): Reply =>
  async () => ({ stream: ReadableStream.from(parts) });
/** The parts, and then silence; it ignores an abort. */
export const hanging =
  (...parts: Part[]): Reply =>
  async () => ({
    stream: new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
      },
      cancel: () => new Promise(() => undefined),
    }),
  });
export const throwing =
  (error: unknown): Reply =>
  async () => {
    throw error;
  };
export const status = (statusCode: number, headers: Record<string, string> = {}): Reply =>
  throwing(
    new APICallError({
      message: "No.",
      url: "https://host",
      requestBodyValues: {},
      statusCode,
      responseHeaders: headers,
    }),
  );

export const request: ModelRequest = {
  system: "You are.",
  messages: [{ role: "user", id: "u", at: 0, origin: "person", text: "Go." }],
  tools: [],
  maxOutputTokens: 1_000,
};

interface SentRequest {
  readonly response: Promise<ModelResponse>;
  readonly calls: readonly LanguageModelV3CallOptions[];
  readonly events: readonly AgentEventBody[];
  /** What the request waited for, and "started" for each attempt. */
  readonly log: readonly string[];
  readonly slept: readonly number[];
  readonly timers: readonly { readonly fire: () => void; readonly isStopped: boolean }[];
  readonly control: AbortController;
}

/** Sends a request with a manual clock; the test fires the timers. */
export function send(
  replies: readonly Reply[],
  more: Partial<ModelRequestOptions & { request: ModelRequest }> = {},
): SentRequest {
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

/** All StreamEnd events. */
export const ends = (events: readonly AgentEventBody[]): readonly AgentEventBody[] =>
  events.filter((event) => event.type === "StreamEnd");
/** Lets pending promises and streams proceed. */
export const soon = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));
