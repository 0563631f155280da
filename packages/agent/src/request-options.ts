import { account } from "./account.ts";
import { commitCosts } from "./commit.ts";
import type { AskOptions } from "./provider/ask-model.ts";
import { type RequestSize, reserveFor } from "./reserve.ts";
import type { RunContext } from "./run-context.ts";

/** How requests of a run are made: `signal` ends this one. Each attempt is reserved before it is sent and booked when it is over. */
export function requestOptions(run: RunContext, signal: AbortSignal, size: RequestSize): AskOptions {
  const { history, models, settings, clock, guard, counter } = run;
  return {
    models,
    maxRetries: settings.maxRetries,
    firstByteMs: settings.firstByteSecs * 1_000,
    betweenMs: settings.betweenSecs * 1_000,
    signal,
    reserve: reserveFor(run, size),
    settle: () => commitCosts(run), // while it waits nothing of it holds up others
    onSpent: (spent) => account(run, spent),
    emit: (event) => run.emit(event),
    hear: (channel, text) => guard.hear(channel, text),
    waiting: (what) => void guard.guardian.observe({ type: "waiting", for: what }),
    started: () => void guard.guardian.observe({ type: "stream-start" }),
    clock,
    usedIds: history.callIds,
    estimate: (texts) => texts.reduce((sum, text) => sum + counter.countText(text), 0),
  };
}

/** The tokens of an internal request, which is not the one that was measured for the turn. */
export function sizeOf(
  { counter, system, sentTools }: RunContext,
  { messages, maxOutputTokens }: { readonly messages: Parameters<typeof total>[0]; readonly maxOutputTokens: number },
): RequestSize {
  return { inputTokens: counter.countText(system) + counter.countText(JSON.stringify(sentTools)) + total(messages, counter), maxOutputTokens };
}

function total(messages: readonly Parameters<RunContext["counter"]["countMessage"]>[0][], counter: RunContext["counter"]): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}
