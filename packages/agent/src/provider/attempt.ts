import type { Clock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { ReplyPart, ReplyStop } from "../protocol/messages.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import { type AttemptResult, toAttemptResult, type UsageEstimate } from "./attempt-result.ts";
import { createFailure, toFailure } from "./failure.ts";
import type { Model } from "./model.ts";
import { closeStream, openStream, readStream, type StreamEnding, type StreamObserver } from "./model-stream.ts";
import { type PreparedRequest, type PrepareOptions, toCallOptions } from "./prepared-request.ts";
import { type DeltaDecision, ReplyDraft } from "./reply-draft.ts";
import { createStreamWatch, type StreamWatch, type WatchOptions } from "./stream-watch.ts";

/** Limits and callbacks of an attempt. */
export interface AttemptOptions extends WatchOptions, PrepareOptions, UsageEstimate {
  readonly clock: Pick<Clock, "now" | "newId">;
  /** Removes secrets: a call id with one is replaced by an own id. Default: those with a known form. */
  readonly redact?: Redact;
  /** Whether the reply is streamed; default: true. */
  readonly isStreamed?: boolean;
  onAttemptStart(): void;
  /** Called with what the provider says about its response. */
  onResponse?(part: unknown): void;
  onWaiting(reason: "first-byte" | "stream" | "rate-limit"): void;
  /** Receives each delta of the reply and may interrupt it. */
  onDelta(channel: "text" | "thinking" | "tool-input", text: string): DeltaDecision;
  emit(event: AgentEventBody): void;
}

/** Sends a request once and reads its stream. Emits exactly one StreamEnd, whatever happens. */
export async function runAttempt(
  model: Model,
  request: PreparedRequest,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const watch = createStreamWatch(options);
  options.onAttemptStart();
  const result = await streamReply(model, request, { options, watch }).catch(
    (error: unknown): AttemptResult => ({ ok: false, failure: toFailure(error, options.clock.now(), options.redact) }),
  );
  watch.stop({ isDone: result.ok && isComplete(result.stop) });
  options.emit(streamEnd(result));
  return result;
}

async function streamReply(
  model: Model,
  request: PreparedRequest,
  { options, watch }: { readonly options: AttemptOptions; readonly watch: StreamWatch },
): Promise<AttemptResult> {
  const { specificationVersion: version } = model;
  if (version !== "v3" && version !== "v4") {
    const problem = `The model implements version ${String(version)} of the AI SDK specification; v3 or v4 is needed`;
    return { ok: false, failure: createFailure("unknown", problem, false) };
  }
  options.onWaiting("first-byte");
  const { isStreamed = true, redact = createRedact() } = options;
  const draft = new ReplyDraft({
    usedIds: request.usedCallIds,
    newId: () => options.clock.newId("call"),
    hasSecret: (id) => redact(id) !== id,
  });
  const stream = await openStream(model, toCallOptions(request, model, watch.signal), { isStreamed });
  const { maxOutputTokens } = request;
  if (!stream.ok)
    return toAttemptResult(
      { type: "error", error: stream.error },
      { options, draft, maxOutputTokens, cut: watch.cut() },
    );

  const ending = await readStream(stream.reader, {
    draft,
    maxCharacters: maxReplyCharacters(maxOutputTokens),
    observer: createObserver(options, watch),
    signal: watch.signal,
  });
  closeStream(stream.reader, ending);
  const problem = watch.cut() === undefined ? unusualEnding(ending, draft, request) : undefined;
  if (problem !== undefined) options.emit({ type: "ProviderWarning", model: model.modelId, problem });
  return toAttemptResult(ending, { options, draft, maxOutputTokens, cut: watch.cut(), response: stream.response });
}

function createObserver(options: AttemptOptions, watch: StreamWatch): StreamObserver {
  let isFirstPart = true;
  return {
    onActivity() {
      watch.onActivity();
      if (isFirstPart) options.onWaiting("stream");
      isFirstPart = false;
    },
    onResponse: (part) => options.onResponse?.(part),
    onText(channel, text) {
      options.emit(channel === "text" ? { type: "TextDelta", text } : { type: "ThinkingDelta", text });
      return options.onDelta(channel, text);
    },
    onCall(callId, tool) {
      options.emit({ type: "ToolUseStart", callId, tool });
    },
    onCallInput(callId, text) {
      options.emit({ type: "ToolInputDelta", callId, text });
      return options.onDelta("tool-input", text);
    },
  };
}

/** Says what is unusual about the end of a stream that did not fail; undefined for an ordinary end. */
function unusualEnding(
  { type }: StreamEnding,
  draft: ReplyDraft,
  { maxOutputTokens }: PreparedRequest,
): string | undefined {
  if (type === "eof" && !draft.isEmpty()) return "The provider's stream ended without saying that it is complete.";
  if (type !== "too-long") return undefined;
  const [characters, tokens] = [draft.characters, maxOutputTokens].map((count) => count.toLocaleString("en-US"));
  return `The model ignored its limit of ${tokens} output tokens: it was cut off after ${characters} characters.`;
}

/** Tokens are shorter than 16 characters on average: a longer reply ignores the token limit. */
function maxReplyCharacters(maxOutputTokens: number): number {
  return 16_384 + 16 * maxOutputTokens;
}

function isComplete(stop: ReplyStop): boolean {
  return stop !== "incomplete" && stop !== "interrupted";
}

function streamEnd(result: AttemptResult): AgentEventBody {
  if (!result.ok) return { type: "StreamEnd", isComplete: false, problem: result.failure.problem };
  const [text, thinking] = [joined(result.parts, "text"), joined(result.parts, "thinking")];
  return {
    type: "StreamEnd",
    isComplete: isComplete(result.stop),
    ...(result.stop === "incomplete" ? { problem: "The stream ended without a finish." } : {}),
    ...(text === "" ? {} : { text }),
    ...(thinking === "" ? {} : { thinking }),
  };
}

function joined(parts: readonly ReplyPart[], type: "text" | "thinking"): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}
