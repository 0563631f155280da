import { Deferred } from "./deferred.ts";
import { isAborted } from "./is-aborted.ts";
import { offAbort, onAbort } from "./on-abort.ts";

/** The promise, or a rejection with the signal's reason as soon as it is aborted: also where the other side pays no attention to the signal. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const first = new Deferred<T>();
  const abort = () => first.reject(signal.reason);
  if (isAborted(signal)) abort();
  else onAbort(signal, abort);
  void settle(first, promise, { signal, abort });
  return first.promise;
}

interface Waiting {
  readonly signal: AbortSignal;
  readonly abort: () => void;
}

async function settle<T>(first: Deferred<T>, promise: Promise<T>, { signal, abort }: Waiting): Promise<void> {
  try {
    first.resolve(await promise);
  } catch (error) {
    first.reject(error);
  } finally {
    offAbort(signal, abort);
  }
}
