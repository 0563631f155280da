import type { TokenCounter } from "../context/token-counter.ts";
import type { RequestSize } from "../costs/budget-check.ts";
import type { Message } from "../protocol/messages.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import type { ModelRequestOptions } from "../provider/model-request.ts";
import type { AgentRun } from "./agent-run.ts";
import type { PromptContext } from "./prompt-context.ts";

export interface RequestParts {
  /** Ends the request. */
  readonly signal: AbortSignal;
  readonly size: RequestSize;
  readonly counter: TokenCounter;
}

type RequestingRun = Pick<AgentRun, "setup" | "history" | "spending" | "guard" | "events">;

/** How a request of a turn is made: each attempt is reserved before it is sent and settled when it is over. */
export function requestOptions(run: AgentRun, parts: RequestParts): ModelRequestOptions {
  const { events, guard } = run;
  return {
    ...internalRequestOptions(run, parts),
    emit: (event) => events.emit(event),
    onDelta: (channel, text) => guard.onDelta(channel, text),
  };
}

/** The same for an internal request, whose reply is neither published nor watched by the guardian. */
export function internalRequestOptions(run: RequestingRun, parts: RequestParts): ModelRequestOptions {
  const { signal, size, counter } = parts;
  const { setup, history, spending, guard, events } = run;
  const { models, settings, clock, redact } = setup;
  return {
    models,
    clock,
    redact,
    signal,
    maxRetries: settings.maxRetries,
    isStreamed: settings.stream,
    firstByteMs: settings.firstByteSecs * 1_000,
    betweenMs: settings.betweenSecs * 1_000,
    usedCallIds: history.callIds,
    cache: history.cache,
    inputTokens: size.inputTokens,
    reserve: ({ modelId }) => spending.reserve(modelId, size, signal),
    recordUsage: (request) => void spending.settle({ ...request, ...purposeOf(size) }),
    saveUsage: () => spending.flush(),
    countTokens: (text) => counter.countText(text),
    emit: () => {},
    onRequest: (event) => events.emit({ ...event, ...sidePurpose(size) }),
    hasRequestContent: settings.requestContent,
    onDelta: () => "continue",
    onWaiting: (reason) => void guard.observe({ type: "waiting", for: reason }),
    onAttemptStart: () => void guard.observe({ type: "stream-start" }),
  };
}

function purposeOf({ purpose }: RequestSize): Pick<RequestSize, "purpose"> {
  return purpose === undefined ? {} : { purpose };
}

/** Events of the request of a turn have no purpose. */
function sidePurpose({ purpose = "turn" }: RequestSize): Pick<RequestSize, "purpose"> {
  return purpose === "turn" ? {} : { purpose };
}

export interface SizedRequest {
  readonly messages: readonly Message[];
  readonly maxOutputTokens: number;
  readonly purpose: RequestPurpose;
}

/** The size of an internal request, which differs from the request measured for the turn. */
export function requestSize(
  { system, tools, counter }: Pick<PromptContext, "system" | "tools" | "counter">,
  { messages, maxOutputTokens, purpose }: SizedRequest,
): RequestSize & { readonly purpose: RequestPurpose } {
  const fixedTokens = counter.countText(system) + counter.countText(JSON.stringify(tools));
  const inputTokens = messages.reduce((sum, message) => sum + counter.countMessage(message), fixedTokens);
  return { inputTokens, maxOutputTokens, purpose };
}
