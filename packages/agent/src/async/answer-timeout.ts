import { onAbort } from "./on-abort.ts";
import { untilAborted } from "./until-aborted.ts";

/** The time in which a model or the user has to answer a question. */
export interface AnswerTimeout {
  /** Aborted after the time, and when `end` is. */
  readonly signal: AbortSignal;
  isTimedOut(): boolean;
  /** Call it when the question is over. */
  stop(): void;
}

/** Calls `act` once, later, unless the returned function is called first. */
interface After {
  after(ms: number, act: () => void): () => void;
}

export function answerTimeout({ after }: After, secs: number, end: AbortSignal): AnswerTimeout {
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

/** A question to the user. */
export interface TimedQuestion {
  /** Absent: there is no limit. */
  readonly timeoutMs?: number | undefined;
  /** Ends the question. */
  readonly signal: AbortSignal;
  readonly clock: After;
}

/** There was no answer in time. */
export const late: unique symbol = Symbol("late");

/**
 * Asks, and resolves with the answer, or with `late` after the time. The signal that `ask` gets is aborted when the
 * question is over, so that it can be withdrawn. Rejects when `signal` is aborted.
 */
export async function answerInTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal, clock }: TimedQuestion,
): Promise<T | typeof late> {
  if (timeoutMs === undefined) return untilAborted(ask(signal), signal);
  const timeout = answerTimeout(clock, timeoutMs / 1_000, signal);
  try {
    return await untilAborted(ask(timeout.signal), timeout.signal);
  } catch (error) {
    if (timeout.isTimedOut()) return late;
    throw error;
  } finally {
    timeout.stop();
  }
}
