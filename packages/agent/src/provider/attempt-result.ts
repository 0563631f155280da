import type { Clock } from "../protocol/clock.ts";
import type { ReplyPart, ReplyStop, Usage } from "../protocol/messages.ts";
import type { Redact } from "../secrets/redact.ts";
import { createFailure, type Failure, toFailure } from "./failure.ts";
import { getField, getText } from "./field-access.ts";
import { readFinishReason, skippedCallProblem } from "./finish-reason.ts";
import type { StreamEnding } from "./model-stream.ts";
import type { ReplyDraft } from "./reply-draft.ts";
import type { StreamCut, WatchOptions } from "./stream-watch.ts";
import { toUsage } from "./usage.ts";

/** The result of one request. A failed request may have used tokens too. */
export type AttemptResult =
  | { readonly ok: true; readonly parts: readonly ReplyPart[]; readonly stop: ReplyStop; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure; readonly usage?: Usage };

/** Token counts for providers that do not report usage. */
export interface UsageEstimate {
  /** Tokens of the request. */
  readonly inputTokens: number;
  countTokens(text: string): number;
}

/** What is known when the stream has ended. */
export interface EndedAttempt {
  readonly options: UsageEstimate &
    Pick<WatchOptions, "firstByteMs" | "betweenMs"> & {
      readonly clock: Pick<Clock, "now" | "newId">;
      readonly redact?: Redact;
    };
  readonly draft: ReplyDraft;
  /** The limit that was sent with the request. */
  readonly maxOutputTokens: number;
  /** Why this side ended the stream, if it did. */
  readonly cut: StreamCut | undefined;
  /** The model's metadata of its HTTP response. */
  readonly response?: unknown;
}

/** Turns an ended stream into a reply, or into a failure and what it used. */
export function toAttemptResult(ending: StreamEnding, attempt: EndedAttempt): AttemptResult {
  const { draft, options, cut, response } = attempt;
  // The provider charges for a request that it had started to process when this side cut the stream.
  if (cut !== undefined) return { ok: false, failure: cutFailure(cut, options), usage: usageOf(ending, attempt) };
  switch (ending.type) {
    case "error": {
      const failure = toFailure(ending.error, options.clock.now(), options.redact);
      return { ok: false, failure, ...chargedUsage(ending, attempt) };
    }
    case "interrupted": {
      const usage = usageOf(ending, attempt); // before the cut: the removed text was generated and is charged
      draft.cutEnd(ending.surplus);
      return toReply("interrupted", draft, usage);
    }
    case "too-long":
      return toReply("overlong", draft, usageOf(ending, attempt));
    case "eof":
      if (draft.isEmpty()) return { ...emptyStream(response), ...chargedUsage(ending, attempt) };
      return toReply("incomplete", draft, usageOf(ending, attempt));
    case "finish": {
      const usage = usageOf(ending, attempt);
      const stop = readFinishReason(ending.part, draft.hasCalls());
      if (stop === "failed") {
        const problem = "The provider reported an error instead of finishing the reply";
        return { ok: false, failure: createFailure("bad-response", problem, true), usage };
      }
      return stop === "incomplete" && draft.isEmpty() ? emptyStream(response) : toReply(stop, draft, usage);
    }
    default:
      return ending satisfies never;
  }
}

function toReply(stop: ReplyStop, draft: ReplyDraft, usage: Usage): AttemptResult {
  return { ok: true, stop, usage, parts: draft.parts(skippedCallProblem(stop)) };
}

/** As the provider reported it with the finish, or its input at the beginning of the stream; otherwise estimated. */
function usageOf(ending: StreamEnding, { options, draft, maxOutputTokens }: EndedAttempt): Usage {
  return toUsage(ending.type === "finish" ? getField(ending.part, "usage") : draft.earlyUsage, {
    input: options.inputTokens,
    maxOutput: maxOutputTokens,
    output: () => draft.texts().reduce((tokens, text) => tokens + options.countTokens(text), 0),
  });
}

/** Providers do not charge for a stream that broke before its first part, unless they have counted its input. */
function chargedUsage(ending: StreamEnding, attempt: EndedAttempt): { readonly usage?: Usage } {
  const { draft } = attempt;
  return draft.isEmpty() && draft.earlyUsage === undefined ? {} : { usage: usageOf(ending, attempt) };
}

/** A stream without any part of a reply. */
function emptyStream(response: unknown): Extract<AttemptResult, { readonly ok: false }> {
  const isWebPage = /html/i.test(getText(getField(response, "headers"), "content-type"));
  const problem = isWebPage
    ? "The provider answered with a web page instead of data: check the base URL and any proxy"
    : "The provider's stream ended before the first part of a reply";
  return { ok: false, failure: createFailure("bad-response", problem, true) };
}

function cutFailure(cut: StreamCut, { firstByteMs, betweenMs }: EndedAttempt["options"]): Failure {
  switch (cut) {
    case "cancelled":
      return createFailure("cancelled", "The request was cancelled", false);
    case "first-byte":
      return createFailure("timeout", `The provider sent nothing for ${firstByteMs / 1_000} seconds`, true);
    case "between": {
      const problem = `The provider sent nothing for ${betweenMs / 1_000} seconds in the middle of its reply`;
      return createFailure("timeout", problem, true);
    }
    default:
      return cut satisfies never;
  }
}
