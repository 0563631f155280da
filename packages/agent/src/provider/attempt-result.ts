import type { ReplyPart, ReplyStop, Usage } from "../protocol/messages.ts";
import { type Failure, failure, toFailure } from "./failure.ts";
import { field, textField } from "./field-access.ts";
import { readFinish, whyNotRun } from "./finish-reason.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import type { Ending } from "./read-stream.ts";
import type { Draft } from "./reply-draft.ts";
import type { Cut, StreamWatch } from "./stream-watch.ts";
import { type Counted, toUsage } from "./usage.ts";

/** What came of one request. A failed one may have used tokens too. */
export type Attempted =
  | { readonly ok: true; readonly parts: readonly ReplyPart[]; readonly stop: ReplyStop; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure; readonly usage?: Usage };

export interface Concluding {
  readonly request: PreparedRequest;
  readonly draft: Draft;
  readonly watch: Pick<StreamWatch, "cut">;
  /** What the model said of its response. */
  readonly response: unknown;
}

/** Makes of a stream that has ended what it is worth: a reply, or a failure and what it cost. */
export function conclude(ending: Ending, concluding: Concluding): Attempted {
  const { draft, response } = concluding;
  const { options } = concluding.request;
  const cut = concluding.watch.cut();
  // We left in the middle: whoever had begun to work on the request charges for it.
  if (cut !== undefined) return { ok: false, failure: cutFailure(cut, options), usage: usageOf(ending, concluding) };
  switch (ending.type) {
    case "error": {
      const why = toFailure(ending.error, options.clock.now());
      return draft.isEmpty()
        ? { ok: false, failure: why }
        : { ok: false, failure: why, usage: usageOf(ending, concluding) }; // an error before the first word is not charged
    }
    case "interrupted": {
      const usage = usageOf(ending, concluding); // with what is cut off now
      draft.cutEnd(ending.surplus);
      return reply("interrupted", draft, usage);
    }
    case "overlong":
      return reply("length", draft, usageOf(ending, concluding));
    case "eof":
      return draft.isEmpty() ? nothing(response) : reply("incomplete", draft, usageOf(ending, concluding));
    case "finish": {
      const usage = usageOf(ending, concluding);
      const stop = readFinish(ending.part, draft.hasCalls());
      if (stop === "failed")
        return { ok: false, failure: failure("bad-response", "The provider gave up on the reply", true), usage };
      return stop === "incomplete" && draft.isEmpty() ? nothing(response) : reply(stop, draft, usage);
    }
    default:
      return ending satisfies never;
  }
}

function reply(stop: ReplyStop, draft: Draft, usage: Usage): Attempted {
  return { ok: true, stop, usage, parts: draft.parts(whyNotRun(stop)) };
}

/** As the provider told it with the finish; counted here where it told nothing. */
function usageOf(ending: Ending, { request, draft }: Concluding): Usage {
  const counted: Counted = { input: () => request.countInput(), output: () => request.count(draft.texts()) };
  return toUsage(ending.type === "finish" ? field(ending.part, "usage") : undefined, counted);
}

/** Not even a beginning: nothing that could be worked with, and nothing to be paid. */
function nothing(response: unknown): Attempted {
  const problem = /html/i.test(textField(field(response, "headers"), "content-type"))
    ? "The provider answered with a web page instead of data: check the base URL and what stands between"
    : "The provider's stream ended before anything came";
  return { ok: false, failure: failure("bad-response", problem, true) };
}

function cutFailure(cut: Cut, { firstByteMs, betweenMs }: PreparedRequest["options"]): Failure {
  switch (cut) {
    case "cancelled":
      return failure("cancelled", "The request was cancelled", false);
    case "first-byte":
      return failure("timeout", `The provider sent nothing for ${firstByteMs / 1_000} seconds`, true);
    case "between":
      return failure(
        "timeout",
        `The provider fell silent for ${betweenMs / 1_000} seconds in the middle of its reply`,
        true,
      );
    default:
      return cut satisfies never;
  }
}
