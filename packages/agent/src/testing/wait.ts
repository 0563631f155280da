import { setImmediate, setTimeout } from "node:timers/promises";

/** Sleeps; rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Sleeps in real time. */
export async function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}

/** Sleeps for `ms`, if any, and rejects when the signal is aborted even if `sleep` ignores it. */
export async function pause(ms: number | undefined, sleep: Sleep, signal: AbortSignal): Promise<void> {
  if (ms !== undefined && ms > 0) await sleep(ms, signal);
  signal.throwIfAborted();
}

/** Lets timers and sockets run: an endless reply must not block them. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** Never resolves; rejects when the signal is aborted. */
export function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
