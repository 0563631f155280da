import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Emit } from "../events.ts";
import type { ReplyStop } from "../messages.ts";
import { type Attempted, conclude } from "./conclude.ts";
import { type Draft, draftReply, type Heard } from "./draft-reply.ts";
import { failure, toFailure } from "./failure.ts";
import { field, textField } from "./field.ts";
import type { Model } from "./model.ts";
import { readStream } from "./read-stream.ts";
import { orLeave, type StartTimer, type StreamWatch, watchStream } from "./timeouts.ts";

/** What is heard of a reply while it streams. */
interface Delta {
  readonly channel: "text" | "thinking" | "tool-input";
  readonly text: string;
}

/** What listens to a stream and watches over it. */
export interface AttemptOptions {
  readonly firstByteMs: number;
  readonly betweenMs: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly hear: (delta: Delta) => "go-on" | { readonly interrupt: number };
  readonly waiting: (what: "first-byte" | "stream") => void;
  readonly started: () => void;
  readonly now: () => number;
  readonly newId: () => string;
  readonly usedIds: ReadonlySet<string>;
  readonly countInput: () => number;
  readonly estimate: (texts: readonly string[]) => number;
  readonly startTimer?: StartTimer | undefined;
}

type Call = Omit<LanguageModelV3CallOptions, "abortSignal"> & { readonly maxOutputTokens: number };

/** Makes one request and reads its stream. Whatever happens to it, it starts once and ends with one StreamEnd. */
export async function attempt(model: Model, call: Call, options: AttemptOptions): Promise<Attempted> {
  const draft = draftReply(options);
  const watch = watchStream(options);
  options.started();
  let attempted: Attempted = { ok: false, failure: failure("unknown", "The request was given up", false) };
  try {
    attempted = await request(model, call, { options, draft, watch });
  } catch (error) {
    attempted = { ok: false, failure: toFailure(error, options.now()) };
  } finally {
    watch.stop({ isDone: attempted.ok && isWhole(attempted.stop) });
    options.emit({ type: "StreamEnd", ...summary(attempted) });
  }
  return attempted;
}

interface Requesting {
  readonly options: AttemptOptions;
  readonly draft: Draft;
  readonly watch: StreamWatch;
}

async function request(model: Model, call: Call, { options, draft, watch }: Requesting): Promise<Attempted> {
  if (model.specificationVersion !== "v3" && model.specificationVersion !== "v4")
    return {
      ok: false,
      failure: failure(
        "unknown",
        `The model speaks version ${String(field(model, "specificationVersion"))} of the AI SDK's specification, and v3 or v4 is needed`,
        false,
      ),
    };
  options.waiting("first-byte");
  const concluding = { draft, options, cut: () => watch.cut() };
  const opened = await open(model, call, watch.signal);
  if ("error" in opened) return conclude({ type: "error", error: opened.error }, concluding);
  const reader = opened.stream.getReader();
  const letGo = () => void reader.cancel().catch(() => undefined); // nobody is left to tell
  watch.signal.addEventListener("abort", letGo);
  if (watch.signal.aborted) letGo(); // it came while the stream was handed over
  const { alive, hear } = listening(options, watch);
  const ending = await readStream(reader, { draft, maxSize: largestReply(call.maxOutputTokens), alive, hear });
  const attempted = conclude(ending, concluding, opened.isWebPage);
  if (ending.type === "finish") void drain(reader);
  else letGo();
  return attempted;
}

type Opened = { readonly stream: ReadableStream<unknown>; readonly isWebPage: boolean } | { readonly error: unknown };

/** Opens the stream; one that comes after the abort is thrown away. */
async function open(model: Model, call: Call, signal: AbortSignal): Promise<Opened> {
  const opening = (async () => model.doStream({ ...call, abortSignal: signal }))();
  opening
    .then(
      ({ stream }) => (signal.aborted ? stream.cancel() : undefined),
      () => undefined, // told below, unless nobody waits any more
    )
    .catch(() => undefined); // cannot be cancelled: somebody else has it
  try {
    const result = await orLeave(opening, signal);
    const stream = result?.stream;
    if (typeof stream?.getReader !== "function") return { error: new Error("The model gave no stream.") };
    return { stream, isWebPage: /html/i.test(textField(field(field(result, "response"), "headers"), "content-type")) };
  } catch (error) {
    return { error };
  }
}

/** Passes on what is heard, as events and to whoever may interrupt. */
function listening(
  { emit, hear, waiting }: AttemptOptions,
  watch: StreamWatch,
): {
  readonly alive: () => void;
  readonly hear: (heard: Heard) => "go-on" | { readonly interrupt: number };
} {
  let isFirst = true;
  return {
    alive() {
      watch.alive();
      if (isFirst) waiting("stream");
      isFirst = false;
    },
    hear(heard) {
      switch (heard.type) {
        case "text":
          emit({ type: "TextDelta", text: heard.text });
          return hear({ channel: "text", text: heard.text });
        case "thinking":
          emit({ type: "ThinkingDelta", text: heard.text });
          return hear({ channel: "thinking", text: heard.text });
        case "call":
          emit({ type: "ToolUseStart", callId: heard.callId, tool: heard.tool });
          return "go-on";
        case "input":
          emit({ type: "ToolInputDelta", callId: heard.callId, text: heard.text });
          return hear({ channel: "tool-input", text: heard.text });
        default:
          return heard satisfies never;
      }
    },
  };
}

/** No token is longer on average: whoever goes on beyond this does not heed the limit. */
function largestReply(maxOutputTokens: number): number {
  return 16_384 + 16 * maxOutputTokens;
}

function isWhole(stop: ReplyStop): boolean {
  return stop !== "incomplete" && stop !== "interrupted";
}

function summary(attempted: Attempted): { readonly isComplete: boolean; readonly problem?: string } {
  if (!attempted.ok) return { isComplete: false, problem: attempted.failure.problem };
  if (attempted.stop === "incomplete") return { isComplete: false, problem: "The stream ended without a finish." };
  return { isComplete: isWhole(attempted.stop) };
}

/** Reads the few bytes after the finish, so that the connection can be used again; who sends more is cut off. */
async function drain(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const cutOff = () => void reader.cancel().catch(() => undefined); // the reply is complete, whatever this says
  const timer = setTimeout(cutOff, 1_000);
  timer.unref();
  try {
    for (let count = 0; count < 16; count += 1) if ((await reader.read()).done) return;
    cutOff();
  } catch {
    // an error after the finish changes nothing
  } finally {
    clearTimeout(timer);
  }
}
