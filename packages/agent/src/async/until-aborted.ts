import { onAbort } from "./on-abort.ts";

/**
 * The promise, or a rejection with the signal's reason as soon as the signal is aborted, even if the awaited code
 * ignores the signal. An aborted signal wins over a promise that is already resolved.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let removeListener = () => {};
  const aborted = new Promise<never>((_, reject) => {
    removeListener = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    removeListener();
  }
}
