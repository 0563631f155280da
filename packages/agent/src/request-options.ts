import type { AskOptions } from "./provider/ask-model.ts";
import { reserveFor } from "./reserve.ts";
import type { RunContext } from "./run-context.ts";

/** How requests of a run are made: `signal` ends this one. */
export function requestOptions(run: RunContext, signal: AbortSignal, maxOutputTokens: number): AskOptions {
  const { history, models, settings, clock, guard, counter, emit, progress } = run;
  return {
    models,
    maxRetries: settings.maxRetries,
    firstByteMs: settings.firstByteSecs * 1_000,
    betweenMs: settings.betweenSecs * 1_000,
    signal,
    reserve: reserveFor(run, { inputTokens: progress.contextTokens, maxOutputTokens }),
    emit,
    hear: (delta) => guard.hear(delta),
    waiting: (what) => void guard.guardian.observe({ type: "waiting", for: what }),
    started: () => void guard.guardian.observe({ type: "stream-start" }),
    clock,
    usedIds: history.callIds,
    estimate: (texts) => texts.reduce((sum, text) => sum + counter.countText(text), 0),
  };
}
