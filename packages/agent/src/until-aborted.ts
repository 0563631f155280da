import { Deferred } from "./deferred.ts";
import { isAborted } from "./is-aborted.ts";
import { offAbort, onAbort } from "./on-abort.ts";

/** The promise, or a rejection with the signal's reason as soon as it is aborted: also where the other side pays no attention to the signal. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const first = new Deferred<T>();
  const abort = () => first.reject(signal.reason);
  if (isAborted(signal)) abort();
  else onAbort(signal, abort);
  void settleBy(promise, first);
  try {
    return await first.promise;
  } finally {
    offAbort(signal, abort);
  }
}

async function settleBy<T>(promise: Promise<T>, deferred: Deferred<T>): Promise<void> {
  try {
    deferred.resolve(await promise);
  } catch (error) {
    deferred.reject(error);
  }
}
