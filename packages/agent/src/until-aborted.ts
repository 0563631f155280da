import { isAborted } from "./is-aborted.ts";
import { offAbort, onAbort } from "./on-abort.ts";

/** The promise, or a rejection with the signal's reason as soon as it is aborted: also where the other side pays no attention to the signal. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (isAborted(signal)) abort();
    else onAbort(signal, abort);
    promise.then(
      (value) => {
        offAbort(signal, abort);
        resolve(value);
      },
      (error: unknown) => {
        offAbort(signal, abort);
        reject(error);
      },
    );
  });
}
