import { startTimer } from "../async/timer.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { ReplyStop } from "../protocol/messages.ts";
import { type Attempted, conclude } from "./attempt-result.ts";
import { failure, toFailure } from "./failure.ts";
import { letGo } from "./let-go.ts";
import { listenFor } from "./listening.ts";
import type { Model } from "./model.ts";
import { type Opened, openStream } from "./model-stream.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import { type Ending, readStream } from "./read-stream.ts";
import { type Draft, draftReply } from "./reply-draft.ts";
import { type StreamWatch, watchStream } from "./stream-watch.ts";

/** Makes one request and reads its stream. Whatever happens to it, it starts once and ends with one StreamEnd. */
export async function attempt(model: Model, request: PreparedRequest): Promise<Attempted> {
  const { options } = request;
  const draft = draftReply(request);
  const watch = watchStream(options);
  options.onAttemptStart();
  let attempted = isSpoken(model) ? givenUp : unspoken(model);
  try {
    if (isSpoken(model)) {
      options.onWaiting("first-byte");
      const opened = await openStream(model, request, watch);
      const ending = await readOpened(opened, { request, draft, watch });
      attempted = conclude(ending, { request, draft, watch, response: opened.response });
      leave(opened, ending);
    }
  } catch (error) {
    attempted = { ok: false, failure: toFailure(error, options.clock.now()) };
  } finally {
    watch.stop({ isDone: attempted.ok && isWhole(attempted.stop) });
    options.emit(streamEnd(attempted));
  }
  return attempted;
}

const givenUp: Attempted = { ok: false, failure: failure("unknown", "The request was given up", false) };

function isSpoken({ specificationVersion }: Model): boolean {
  return specificationVersion === "v3" || specificationVersion === "v4";
}

function unspoken({ specificationVersion }: Model): Attempted {
  const problem = `The model speaks version ${String(specificationVersion)} of the AI SDK's specification, and v3 or v4 is needed`;
  return { ok: false, failure: failure("unknown", problem, false) };
}

interface Streaming {
  readonly request: PreparedRequest;
  readonly draft: Draft;
  readonly watch: StreamWatch;
}

function readOpened({ reader, error }: Opened, { request, draft, watch }: Streaming): Ending | Promise<Ending> {
  if (reader === undefined) return { type: "error", error };
  watch.onCut = () => letGo(reader);
  if (watch.cut() !== undefined) letGo(reader); // it came while the stream was handed over
  return readStream(reader, {
    draft,
    maxSize: largestReply(request.maxOutputTokens),
    listener: listenFor(request.options, watch),
  });
}

function leave({ reader }: Opened, ending: Ending): void {
  if (reader === undefined) return;
  if (ending.type === "finish") void drain(reader);
  else letGo(reader);
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
  if (attempted.stop === "incomplete")
    return { type: "StreamEnd", isComplete: false, problem: "The stream ended without a finish." };
  return { type: "StreamEnd", isComplete: isWhole(attempted.stop) };
}

/** Reads the few bytes after the finish, so that the connection can be used again; who sends more is cut off. */
async function drain(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const timer = startTimer(longestDrainMs, () => letGo(reader), { isWaitedFor: false });
  try {
    for (let count = 0; count < 16; count += 1) if ((await reader.read()).done) return;
    letGo(reader);
  } catch {
    // an error after the finish changes nothing
  } finally {
    timer.stop();
  }
}

const longestDrainMs = 1_000;
