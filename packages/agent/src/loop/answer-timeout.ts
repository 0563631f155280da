import { onAbort } from "../async/on-abort.ts";
import type { Clock } from "../protocol/clock.ts";

/** The time in which a model has to answer a question. */
export interface AnswerTimeout {
  /** Aborted after the time, and when `end` is. */
  readonly signal: AbortSignal;
  isTimedOut(): boolean;
  /** Call it when the request is over. */
  stop(): void;
}

export function answerTimeout({ after }: Pick<Clock, "after">, secs: number, end: AbortSignal): AnswerTimeout {
  const control = new AbortController();
  let isTimedOut = false;
  const stopListening = onAbort(end, () => control.abort());
  const stopTimer = after(secs * 1_000, () => {
    isTimedOut = true;
    control.abort();
  });
  return {
    signal: control.signal,
    isTimedOut: () => isTimedOut,
    stop() {
      stopListening();
      stopTimer();
    },
  };
}
