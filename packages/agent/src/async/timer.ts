/** A running timer. Stopping or refreshing it after it has fired or was stopped does nothing. */
export interface Timer {
  /** Starts the full wait again. */
  refresh(): void;
  stop(): void;
}

export interface TimerOptions {
  /** Keeps the process alive until the timer fires or is stopped. */
  readonly isWaitedFor: boolean;
}

/** `setTimeout` fires at once when it is given more. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Calls `fire` once after `ms` milliseconds; waits longer than Node's maximum are split. */
export function startTimer(ms: number, fire: () => void, { isWaitedFor }: TimerOptions = { isWaitedFor: true }): Timer {
  let isOver = false;
  let timeout = wait(ms);

  function wait(leftMs: number): NodeJS.Timeout {
    const waitMs = Math.min(leftMs, MAX_TIMEOUT_MS);
    const onTimeout = () => {
      if (leftMs > waitMs) {
        timeout = wait(leftMs - waitMs);
        return;
      }
      isOver = true;
      fire();
    };
    const started = setTimeout(onTimeout, waitMs);
    return isWaitedFor ? started : started.unref();
  }

  return {
    refresh() {
      if (isOver) return;
      if (ms <= MAX_TIMEOUT_MS) {
        timeout.refresh();
        return;
      }
      clearTimeout(timeout);
      timeout = wait(ms);
    },
    stop() {
      isOver = true;
      clearTimeout(timeout);
    },
  };
}
