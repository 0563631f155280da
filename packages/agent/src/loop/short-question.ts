import { answerTimeout } from "../async/answer-timeout.ts";
import type { TokenCounter } from "../context/token-counter.ts";
import type { RequestSize } from "../costs/budget-check.ts";
import { createMessageCache } from "../protocol/message-cache.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import type { ModelRequest, ModelRequestOptions, ModelResponse } from "../provider/model-request.ts";
import type { AgentRun } from "./agent-run.ts";
import { internalRequestOptions } from "./request-options.ts";

/** Leaves room for models that think before they answer. */
const MAX_OUTPUT_TOKENS = 1_000;
/** A longer answer is cut off: a server may ignore the maximum. */
const MAX_ANSWER_CHARS = 16_000;
/** How long a model has for a short answer. */
export const SHORT_ANSWER_SECS = 30;

/** The two parts of a question, as a request without tools. `reason` is the one of its internal message. */
export function shortRequest(
  { clock }: AgentRun["setup"],
  { system, prompt }: { readonly system: string; readonly prompt: string },
  reason: string,
): ModelRequest {
  const ids = { id: clock.newId("msg"), at: clock.now() };
  const message = { role: "user", ...ids, origin: "automatic", reason, text: prompt } as const;
  return { system, messages: [message], tools: [], maxOutputTokens: MAX_OUTPUT_TOKENS };
}

export interface ShortQuestion {
  readonly request: ModelRequest;
  readonly size: RequestSize & { readonly purpose: RequestPurpose };
  readonly counter: TokenCounter;
  /** Ends the question. */
  readonly signal: AbortSignal;
  /** How long the model has for its answer; default: `SHORT_ANSWER_SECS`. */
  readonly answerSecs?: number;
  /** Where it differs from other internal requests. */
  readonly options?: Partial<ModelRequestOptions>;
}

export interface ShortAnswer {
  readonly response: ModelResponse;
  /** Null when the price is unknown. */
  readonly costNanoUsd: number | null;
  /** The answer was cut off, as it was far too long. */
  readonly isTooLong: boolean;
  readonly isTimedOut: boolean;
}

/** Asks a model a question that the run can do without: once, in limited time, and only if the budget covers it. */
export async function askShortQuestion(
  run: Pick<AgentRun, "setup" | "history" | "spending" | "guard" | "events">,
  { request, size, counter, signal: end, answerSecs = SHORT_ANSWER_SECS, options = {} }: ShortQuestion,
): Promise<ShortAnswer> {
  const { setup, spending } = run;
  const { signal, stop, isTimedOut } = answerTimeout(setup.clock, answerSecs, end);
  let costNanoUsd: number | null = 0;
  let answerChars = 0;
  try {
    const response = await setup.requestModel(request, {
      ...internalRequestOptions(run, { signal, size, counter }),
      maxRetries: 0,
      cache: createMessageCache(),
      reserve: ({ modelId }) => spending.reserveOptional(modelId, size),
      recordUsage(used) {
        const cost = spending.settle({ ...used, purpose: size.purpose });
        costNanoUsd = cost === null || costNanoUsd === null ? null : costNanoUsd + cost;
      },
      onDelta(_channel, text) {
        answerChars += text.length;
        return answerChars > MAX_ANSWER_CHARS ? { interrupt: 0 } : "continue";
      },
      ...options,
    });
    return { response, costNanoUsd, isTooLong: answerChars > MAX_ANSWER_CHARS, isTimedOut: isTimedOut() };
  } finally {
    stop();
  }
}
