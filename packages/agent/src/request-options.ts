import type { AskOptions } from "./provider/ask-model.ts";
import type { RunContext } from "./run-context.ts";

/** How requests of a run are made: `request` ends this one. */
export function requestOptions({ history, models, settings, clock, guard, counter, signal, emit }: RunContext, request: AbortSignal): AskOptions {
  return {
    models,
    maxRetries: settings.maxRetries,
    firstByteMs: settings.firstByteSecs * 1_000,
    betweenMs: settings.betweenSecs * 1_000,
    signal: AbortSignal.any([signal, guard.signal, request]),
    emit,
    hear: (delta) => guard.hear(delta),
    waiting: (what) => void guard.guardian.observe({ type: "waiting", for: what }),
    started: () => void guard.guardian.observe({ type: "stream-start" }),
    clock,
    usedIds: history.callIds,
    estimate: (texts) => texts.reduce((sum, text) => sum + counter.countText(text), 0),
  };
}
