import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { startTimer } from "../async/timer.ts";
import { untilAborted } from "../async/until-aborted.ts";
import { getField } from "./field-access.ts";
import { cannotStream, generateStream } from "./generated-stream.ts";
import type { Model } from "./model.ts";
import type { DraftObserver, ReplyDraft } from "./reply-draft.ts";

type StreamReader = ReadableStreamDefaultReader<unknown>;

/** A stream that can be read, with the model's metadata of its response; or why there is none. */
export type OpenedStream =
  | { readonly ok: true; readonly reader: StreamReader; readonly response: unknown }
  | { readonly ok: false; readonly error: unknown };

/** How the reading of a stream ended. */
export type StreamEnding =
  | { readonly type: "finish"; readonly part: unknown }
  /** The stream ended without a finish. */
  | { readonly type: "eof" }
  | { readonly type: "error"; readonly error: unknown }
  /** The observer interrupted it; `surplus` characters at its end are to be removed. */
  | { readonly type: "interrupted"; readonly surplus: number }
  /** The reply is far longer than the token limit allows. */
  | { readonly type: "too-long" };

/** Receives what a stream contains. */
export interface StreamObserver extends DraftObserver {
  /** Called for every part with content; pings do not count. */
  onActivity(): void;
  /** Called with the metadata of the response. */
  onResponse(part: unknown): void;
}

export interface ReadOptions {
  readonly draft: ReplyDraft;
  readonly maxCharacters: number;
  readonly observer: StreamObserver;
  readonly signal: AbortSignal;
}

/** Opens a stream. After an abort it returns at once; a stream that arrives later is cancelled. */
export async function openStream(
  model: Model,
  call: LanguageModelV3CallOptions & { readonly abortSignal: AbortSignal },
  { isStreamed = true }: { readonly isStreamed?: boolean } = {},
): Promise<OpenedStream> {
  const { abortSignal: signal } = call;
  const opening = requestStream(model, call, isStreamed);
  try {
    return { ok: true, ...(await untilAborted(opening, signal)) };
  } catch (error) {
    opening.then(({ reader }) => cancelReader(reader)).catch(() => undefined); // `error` is returned already
    return { ok: false, error };
  }
}

/** Streams the reply. A model that cannot stream is asked for the whole reply. */
async function requestStream(
  model: Model,
  call: LanguageModelV3CallOptions,
  isStreamed: boolean,
): Promise<{ readonly reader: StreamReader; readonly response: unknown }> {
  const result: unknown =
    isStreamed && !cannotStream(model) ? await streamOrGenerate(model, call) : await generateStream(model, call);
  const stream = getField(result, "stream");
  if (typeof getField(stream, "getReader") !== "function") throw new Error("The model returned no stream.");
  return { reader: (stream as ReadableStream<unknown>).getReader(), response: getField(result, "response") }; // checked
}

async function streamOrGenerate(model: Model, call: LanguageModelV3CallOptions): Promise<unknown> {
  try {
    return await model.doStream(call);
  } catch (error) {
    if (!cannotStream(model, error)) throw error;
    return generateStream(model, call);
  }
}

/** A stream that is always ready must let timers and aborts run from time to time. */
const partsPerTask = 128;

/** Reads a stream into the draft. Does not throw for failures of the stream; an aborted stream ends as `eof`. */
export async function readStream(reader: StreamReader, options: ReadOptions): Promise<StreamEnding> {
  const { signal } = options;
  const cancel = () => cancelReader(reader);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await readParts(reader, options);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

async function readParts(reader: StreamReader, { draft, maxCharacters, observer }: ReadOptions): Promise<StreamEnding> {
  for (let count = 1; ; count += 1) {
    if (count % partsPerTask === 0) await new Promise(setImmediate);
    let part: unknown;
    try {
      const { done, value } = await reader.read();
      if (done) return { type: "eof" };
      part = value;
    } catch (error) {
      return { type: "error", error };
    }
    if (isActivity(part)) observer.onActivity();
    const type = getField(part, "type");
    if (type === "response-metadata") observer.onResponse(part);
    if (type === "finish") return { type: "finish", part };
    if (type === "error") {
      const error = getField(part, "error");
      return isMissingFinish(error) ? { type: "eof" } : { type: "error", error };
    }
    const decision = draft.add(part, observer);
    if (decision !== "continue") return { type: "interrupted", surplus: decision.interrupt };
    if (draft.characters > maxCharacters) return { type: "too-long" };
  }
}

/** Pings, the start part of the SDK itself, raw copies and empty deltas do not count as activity. */
function isActivity(part: unknown): boolean {
  const type = getField(part, "type");
  if (type === "ping" || type === "stream-start" || type === "raw") return false;
  return getField(part, "delta") !== "" || getField(part, "providerMetadata") !== undefined;
}

/** The AI SDK's error for an OpenAI-compatible stream without a finish; other providers report no error. */
function isMissingFinish(error: unknown): boolean {
  return getField(error, "name") === "AI_InvalidResponseDataError" && getField(error, "data") === undefined;
}

/** Closes a stream after its ending: a finished one is read to its end, any other is cancelled. */
export function closeStream(reader: StreamReader, ending: StreamEnding): void {
  if (ending.type === "finish") void drain(reader);
  else cancelReader(reader);
}

const maxDrainMs = 1_000;
const maxDrainParts = 16;

/** Reads the few bytes after the finish, so that the connection can be reused. A longer rest is cancelled. */
async function drain(reader: StreamReader): Promise<void> {
  const timer = startTimer(maxDrainMs, () => cancelReader(reader), { isWaitedFor: false });
  try {
    for (let count = 0; count < maxDrainParts; count += 1) if ((await reader.read()).done) return;
    cancelReader(reader);
  } catch {
    // An error after the finish does not change the reply.
  } finally {
    timer.stop();
  }
}

function cancelReader(reader: StreamReader): void {
  reader.cancel().catch(() => undefined); // the stream is not used any more
}
