import type { TokenCounter } from "../context/count-tokens.ts";
import type { RequestSize } from "../costs/spending.ts";
import type { Message } from "../protocol/messages.ts";
import type { AskOptions } from "../provider/ask-model.ts";
import type { AgentRun } from "./agent-run.ts";
import type { PromptContext } from "./prompt-context.ts";

export interface RequestParts {
  /** Ends the request. */
  readonly signal: AbortSignal;
  readonly size: RequestSize;
  readonly counter: TokenCounter;
}

/** How a request of a turn is made: each attempt is reserved before it is sent and settled when it is over. */
export function requestOptions(run: AgentRun, parts: RequestParts): AskOptions {
  const { events, guard } = run;
  return {
    ...internalRequestOptions(run, parts),
    emit: (event) => events.emit(event),
    hear: (channel, text) => {
      const x = guard.onDelta(channel, text);
      return x === "continue" ? "go-on" : x;
    },
  };
}

/** The same for an internal request, whose reply is neither published nor watched by the guardian. */
export function internalRequestOptions(run: AgentRun, { signal, size, counter }: RequestParts): AskOptions {
  const { setup, history, spending, guard } = run;
  const { models, settings, clock } = setup;
  return {
    models,
    clock,
    signal,
    maxRetries: settings.maxRetries,
    firstByteMs: settings.firstByteSecs * 1_000,
    betweenMs: settings.betweenSecs * 1_000,
    usedIds: history.callIds,
    reserve: ({ modelId }) => spending.reserve(modelId, size),
    settle: () => spending.flush(),
    onSpent: (request) => spending.settle(request),
    emit: () => {},
    hear: () => "go-on",
    waiting: (what) => void guard.observe({ type: "waiting", for: what }),
    started: () => void guard.observe({ type: "stream-start" }),
    estimate: (texts) => texts.reduce((sum, text) => sum + counter.countText(text), 0),
  };
}

/** The size of an internal request, which differs from the request measured for the turn. */
export function requestSize(
  { system, tools, counter }: Pick<PromptContext, "system" | "tools" | "counter">,
  { messages, maxOutputTokens }: { readonly messages: readonly Message[]; readonly maxOutputTokens: number },
): RequestSize {
  const fixedTokens = counter.countText(system) + counter.countText(JSON.stringify(tools));
  const inputTokens = messages.reduce((sum, message) => sum + counter.countMessage(message), fixedTokens);
  return { inputTokens, maxOutputTokens };
}
