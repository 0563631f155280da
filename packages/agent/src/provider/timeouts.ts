/** A timer that can be set back to its start. */
interface Timer {
  refresh(): void;
  stop(): void;
}

export type StartTimer = (ms: number, fire: () => void) => Timer;

/** What ended a stream from our side. */
export type Cut = "cancelled" | "first-byte" | "between";

/** Watches over one stream: ends it when it is cancelled or falls silent. */
export interface StreamWatch {
  /** For the provider and for everything that waits for it; aborted at the cut. */
  readonly signal: AbortSignal;
  /** The provider gave a sign of life. */
  alive(): void;
  /** Why the stream was ended from here, if it was. */
  cut(): Cut | undefined;
  /** Watches no longer. Without `isDone` the request is ended as well. */
  stop(how: { readonly isDone: boolean }): void;
}

export interface WatchOptions {
  /** How long a provider may take to its first sign of life. 0 or infinite: as long as it likes. */
  readonly firstByteMs: number;
  /** How long it may be silent after that. */
  readonly betweenMs: number;
  readonly signal: AbortSignal;
  readonly startTimer?: StartTimer | undefined;
}

/** Starts to watch. The timers are set back by parts of the stream, not by bytes: a connection kept open by pings is silent. */
export function watchStream({ firstByteMs, betweenMs, signal, startTimer = realTimer }: WatchOptions): StreamWatch {
  const control = new AbortController();
  let cut: Cut | undefined;
  let hasLived = false;
  const end = (why: Cut) => {
    if (control.signal.aborted) return;
    cut = why;
    stop({ isDone: false });
  };
  const cancel = () => end("cancelled");
  let timer = limited(startTimer, firstByteMs, () => end(hasLived ? "between" : "first-byte"));
  const stop = ({ isDone }: { readonly isDone: boolean }) => {
    timer.stop();
    signal.removeEventListener("abort", cancel);
    if (!isDone) control.abort(new DOMException("The request was ended.", "AbortError"));
  };
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  return {
    signal: control.signal,
    alive() {
      if (control.signal.aborted) return;
      if (hasLived || firstByteMs === betweenMs) {
        hasLived = true;
        return timer.refresh();
      }
      hasLived = true;
      timer.stop();
      timer = limited(startTimer, betweenMs, () => end("between"));
    },
    cut: () => cut,
    stop,
  };
}

/** The promise, or undefined as soon as the signal is aborted: whoever ignores the signal is not waited for. */
export function orLeave<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
    promise.then(resolve, reject).then(() => signal.removeEventListener("abort", leave));
  });
}

/** Node fires at once where it is given more than 31 bits of milliseconds. */
const longestMs = 2 ** 31 - 1;
const never: Timer = { refresh() {}, stop() {} };

function limited(startTimer: StartTimer, ms: number, fire: () => void): Timer {
  return ms > 0 && ms <= longestMs ? startTimer(ms, fire) : never;
}

const realTimer: StartTimer = (ms, fire) => {
  const timer = setTimeout(fire, ms);
  return { refresh: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};
