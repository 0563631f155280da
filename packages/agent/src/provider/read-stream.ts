import { deltaOf, field, metadataOf, typeOf } from "./field-access.ts";
import type { Draft, DraftListener } from "./reply-draft.ts";

/** How the reading of a stream ended. */
export type Ending =
  | { readonly type: "finish"; readonly part: unknown }
  /** It ended without a finish. */
  | { readonly type: "eof" }
  | { readonly type: "error"; readonly error: unknown }
  /** Whoever listens has heard enough. */
  | { readonly type: "interrupted"; readonly surplus: number }
  /** It went on far beyond the tokens that were asked for. */
  | { readonly type: "overlong" };

export interface ReadOptions {
  readonly draft: Draft;
  readonly maxSize: number;
  readonly listener: StreamListener;
}

/** Who listens to a stream. */
export interface StreamListener extends DraftListener {
  /** Told of every part that is a sign of life. */
  alive(): void;
}

/** After so many parts, others get their turn: a stream that is always ready would keep timers and aborts from ever firing. */
const partsInARow = 128;

/** Reads one stream into a draft. Does not throw for what the stream does; a cancelled reader ends as `eof`. */
export async function readStream(
  reader: ReadableStreamDefaultReader<unknown>,
  { draft, maxSize, listener }: ReadOptions,
): Promise<Ending> {
  for (let count = 1; ; count += 1) {
    if (count % partsInARow === 0) await new Promise(setImmediate);
    let part: unknown;
    try {
      const read = await reader.read();
      if (read.done) return { type: "eof" };
      part = read.value;
    } catch (error) {
      return { type: "error", error };
    }
    const type = typeOf(part);
    if (isSignOfLife(part, type)) listener.alive();
    if (type === "finish") return { type: "finish", part };
    if (type === "error")
      return isMissingFinish(field(part, "error")) ? { type: "eof" } : { type: "error", error: field(part, "error") };
    const heed = draft.take(part, listener);
    if (heed !== "go-on") return { type: "interrupted", surplus: heed.interrupt };
    if (draft.size() > maxSize) return { type: "overlong" };
  }
}

/** Pings, the start that the SDK itself announces, raw copies and empty deltas keep no stream alive. */
function isSignOfLife(part: unknown, type: unknown): boolean {
  if (type === "ping" || type === "stream-start" || type === "raw") return false;
  return deltaOf(part) !== "" || metadataOf(part) !== undefined;
}

/** What the AI SDK says where a stream of an OpenAI-compatible provider ends without a reason; others keep silent about it. */
function isMissingFinish(error: unknown): boolean {
  return field(error, "name") === "AI_InvalidResponseDataError" && field(error, "data") === undefined;
}
