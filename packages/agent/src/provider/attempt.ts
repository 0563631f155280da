import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { AgentEventBody, Emit } from "../events.ts";
import type { ReplyStop } from "../messages.ts";
import { type Attempted, conclude } from "./conclude.ts";
import { type Draft, draftReply, type Heard } from "./draft-reply.ts";
import { failure, toFailure } from "./failure.ts";
import { field, textField } from "./field.ts";
import type { Model } from "./model.ts";
import { readStream, type StreamListener } from "./read-stream.ts";
import { type StartTimer, type StreamWatch, watchStream } from "./timeouts.ts";

/** What a part of a reply belongs to. */
type Channel = "text" | "thinking" | "tool-input";

/** What listens to a stream and watches over it. */
export interface AttemptOptions {
  readonly firstByteMs: number;
  readonly betweenMs: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly hear: (channel: Channel, text: string) => "go-on" | { readonly interrupt: number };
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
  let attempted = givenUp;
  try {
    attempted = await request(model, call, { options, draft, watch });
  } catch (error) {
    attempted = { ok: false, failure: toFailure(error, options.now()) };
  } finally {
    watch.stop({ isDone: attempted.ok && isWhole(attempted.stop) });
    options.emit(streamEnd(attempted));
  }
  return attempted;
}

const givenUp: Attempted = { ok: false, failure: failure("unknown", "The request was given up", false) };

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
  const opened = await open(model, call, watch);
  if ("error" in opened) return conclude({ type: "error", error: opened.error }, concluding);
  const reader = opened.stream.getReader();
  watch.onCut = () => letGo(reader);
  if (watch.signal.aborted) letGo(reader); // it came while the stream was handed over
  const ending = await readStream(reader, { draft, maxSize: largestReply(call.maxOutputTokens), listener: new Listening(options, watch) });
  const attempted = conclude(ending, concluding, opened.isWebPage);
  if (ending.type === "finish") void drain(reader);
  else letGo(reader);
  return attempted;
}

function letGo(stream: { cancel(): Promise<void> }): void {
  stream.cancel().catch(() => undefined); // nobody is left to tell
}

type Opened = { readonly stream: ReadableStream<unknown>; readonly isWebPage: boolean } | { readonly error: unknown };

/** Opens the stream. Who ignores an abort is not waited for, and a stream that comes after it is thrown away. */
function open(model: Model, call: Call, watch: StreamWatch): Promise<Opened> {
  return new Promise((resolve) => {
    const { signal } = watch;
    watch.onCut = () => resolve({ error: signal.reason });
    if (signal.aborted) watch.onCut();
    const fail = (error: unknown) => resolve({ error });
    const take = (result: unknown) => {
      const opened = openedBy(result);
      if (signal.aborted && "stream" in opened) letGo(opened.stream);
      resolve(opened);
    };
    try {
      Promise.resolve(model.doStream({ ...call, abortSignal: signal })).then(take, fail);
    } catch (error) {
      fail(error);
    }
  });
}

function openedBy(result: unknown): Opened {
  const stream = field(result, "stream") as ReadableStream<unknown> | undefined; // by the specification; looked at below
  if (typeof field(stream, "getReader") !== "function" || stream === undefined) return { error: new Error("The model gave no stream.") };
  return { stream, isWebPage: /html/i.test(textField(field(field(result, "response"), "headers"), "content-type")) };
}

/** Passes on what is heard, as events and to whoever may interrupt. */
class Listening implements StreamListener {
  private readonly options: AttemptOptions;
  private readonly watch: StreamWatch;
  private isFirst = true;

  constructor(options: AttemptOptions, watch: StreamWatch) {
    this.options = options;
    this.watch = watch;
  }

  alive(): void {
    this.watch.alive();
    if (this.isFirst) this.options.waiting("stream");
    this.isFirst = false;
  }

  hear(heard: Heard): "go-on" | { readonly interrupt: number } {
    const { options } = this;
    switch (heard.type) {
      case "text":
        options.emit({ type: "TextDelta", text: heard.text });
        return options.hear("text", heard.text);
      case "thinking":
        options.emit({ type: "ThinkingDelta", text: heard.text });
        return options.hear("thinking", heard.text);
      case "call":
        options.emit({ type: "ToolUseStart", callId: heard.callId, tool: heard.tool });
        return "go-on";
      case "input":
        options.emit({ type: "ToolInputDelta", callId: heard.callId, text: heard.text });
        return options.hear("tool-input", heard.text);
      default:
        return heard satisfies never;
    }
  }
}

/** No token is longer on average: whoever goes on beyond this does not heed the limit. */
function largestReply(maxOutputTokens: number): number {
  return 16_384 + 16 * maxOutputTokens;
}

function isWhole(stop: ReplyStop): boolean {
  return stop !== "incomplete" && stop !== "interrupted";
}

function streamEnd(attempted: Attempted): AgentEventBody {
  if (!attempted.ok) return { type: "StreamEnd", isComplete: false, problem: attempted.failure.problem };
  if (attempted.stop === "incomplete") return { type: "StreamEnd", isComplete: false, problem: "The stream ended without a finish." };
  return { type: "StreamEnd", isComplete: isWhole(attempted.stop) };
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
