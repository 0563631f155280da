import { isAborted } from "../async/is-aborted.ts";
import { keepShape } from "../async/keep-shape.ts";
import { offAbort, onAbort } from "../async/on-abort.ts";
import { startTimer as startRealTimer, type Timer } from "../async/timer.ts";

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
  /** Called once at the cut, after the signal. */
  onCut: (() => void) | undefined;
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
export function watchStream(options: WatchOptions): StreamWatch {
  return new Watching(options);
}

class Watching implements StreamWatch {
  onCut: (() => void) | undefined = undefined;
  readonly signal: AbortSignal;
  private readonly options: WatchOptions;
  private readonly control = new AbortController();
  private readonly cancel: () => void;
  private why: Cut | undefined = undefined;
  private hasLived = false;
  /** The request was ended from here. */
  private isEnded = false;
  private timer: Timer;

  constructor(options: WatchOptions) {
    const { signal, firstByteMs } = options;
    this.options = options;
    this.signal = this.control.signal;
    this.cancel = () => this.end("cancelled");
    this.timer = this.startTimer(firstByteMs);
    onAbort(signal, this.cancel);
    if (isAborted(signal)) this.cancel();
  }

  cut(): Cut | undefined {
    return this.why;
  }

  alive(): void {
    if (this.isEnded) return;
    if (this.hasLived) this.timer.refresh();
    else this.liveOn();
  }

  stop({ isDone }: { readonly isDone: boolean }): void {
    this.timer.stop();
    offAbort(this.options.signal, this.cancel);
    if (isDone) return;
    this.isEnded = true;
    this.control.abort(new DOMException("The request was ended.", "AbortError"));
  }

  /** From the first sign of life on another time is given. */
  private liveOn(): void {
    const { firstByteMs, betweenMs } = this.options;
    this.hasLived = true;
    if (firstByteMs === betweenMs) {
      this.timer.refresh();
      return;
    }
    this.timer.stop();
    this.timer = this.startTimer(betweenMs);
  }

  private startTimer(ms: number): Timer {
    const startTimer = this.options.startTimer ?? startRealTimer;
    return ms > 0 && ms <= longestMs ? startTimer(ms, () => this.end(this.hasLived ? "between" : "first-byte")) : never;
  }

  private end(why: Cut): void {
    if (this.isEnded) return;
    this.why = why;
    this.stop({ isDone: false });
    this.onCut?.();
  }
}

/** The promise, or undefined as soon as the signal is aborted: whoever ignores the signal is not waited for. */
export function orLeave<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined);
    if (isAborted(signal)) leave();
    onAbort(signal, leave);
    promise.then(resolve, reject).then(() => offAbort(signal, leave));
  });
}

/** Node fires at once where it is given more than 31 bits of milliseconds. */
const longestMs = 2 ** 31 - 1;
const never: Timer = { refresh() {}, stop() {} };

keepShape(new Watching({ firstByteMs: 0, betweenMs: 0, signal: new AbortController().signal }));
