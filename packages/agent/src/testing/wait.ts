import { setImmediate, setTimeout } from "node:timers/promises";

/** Waits, and rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits in real time. */
export async function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}

/** Waits where there is something to wait for, whatever the given sleep does about the signal. */
export async function pause(ms: number | undefined, sleep: Sleep, signal: AbortSignal): Promise<void> {
  if (ms !== undefined && ms > 0) await sleep(ms, signal);
  signal.throwIfAborted();
}

/** Lets everyone else have a go: what never ends must not keep timers and sockets waiting. */
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
