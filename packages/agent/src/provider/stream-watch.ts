import { startTimer as startRealTimer, type Timer } from "../async/timer.ts";

export type StartTimer = (ms: number, fire: () => void) => Timer;

/** Why this side ended a stream. */
export type StreamCut = "cancelled" | "first-byte" | "between";

/** Watches one stream and ends it when it is cancelled or silent for too long. */
export interface StreamWatch {
  /** Passed to the provider; aborted when the stream is cut. */
  readonly signal: AbortSignal;
  /** Restarts the timer: the provider sent a part. */
  onActivity(): void;
  /** Why the stream was cut; undefined if it was not. */
  cut(): StreamCut | undefined;
  /** Ends the watch. Without `isDone` the request is aborted as well. */
  stop(how: { readonly isDone: boolean }): void;
}

export interface WatchOptions {
  /** Longest silence before the first part. 0 or infinite: no limit. */
  readonly firstByteMs: number;
  /** Longest silence between two parts. 0 or infinite: no limit. */
  readonly betweenMs: number;
  readonly signal: AbortSignal;
  readonly startTimer?: StartTimer | undefined;
}

/** Starts a watch. Parts restart its timer, bytes do not: a connection kept open by pings is silent. */
export function createStreamWatch(options: WatchOptions): StreamWatch {
  const { signal, firstByteMs, betweenMs, startTimer = startRealTimer } = options;
  const request = new AbortController();
  let cut: StreamCut | undefined;
  let hasActivity = false;
  let timer = startLimit(firstByteMs);
  const cancel = () => end("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();

  function startLimit(ms: number): Timer | undefined {
    return ms > 0 && ms <= maxTimerMs ? startTimer(ms, () => end(hasActivity ? "between" : "first-byte")) : undefined;
  }

  function end(reason: StreamCut): void {
    if (request.signal.aborted) return;
    cut = reason;
    stop({ isDone: false });
  }

  function stop({ isDone }: { readonly isDone: boolean }): void {
    timer?.stop();
    signal.removeEventListener("abort", cancel);
    if (!isDone) request.abort(new DOMException("The request was ended.", "AbortError"));
  }

  return {
    signal: request.signal,
    onActivity() {
      if (request.signal.aborted) return;
      if (hasActivity) {
        timer?.refresh();
        return;
      }
      hasActivity = true;
      timer?.stop();
      timer = startLimit(betweenMs);
    },
    cut: () => cut,
    stop,
  };
}

/** Node fires a longer timer at once. */
const maxTimerMs = 2 ** 31 - 1;
