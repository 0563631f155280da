import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError, isBusy } from "./errors.ts";

/** How long to wait for the lock of another process. */
export interface LockWait {
  readonly path: string;
  /** Default: 120,000 ms. */
  readonly lockWaitMs?: number | undefined;
  /** Called once, when an operation has waited for one second. */
  readonly onWait?: ((waitedMs: number) => void) | undefined;
}

/** Repeats work until no other process holds the lock. It waits between attempts, so the event loop stays free. */
export async function retryWhileLocked<T>(
  work: () => T | Promise<T>,
  { path, lockWaitMs = 120_000, onWait }: LockWait,
): Promise<T> {
  let firstRefusalAt: number | undefined;
  let isReported = false;
  for (let delayMs = 2; ; delayMs = Math.min(50, delayMs * 1.5)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      firstRefusalAt ??= performance.now();
      const waitedMs = performance.now() - firstRefusalAt;
      if (waitedMs >= lockWaitMs)
        throw new DatabaseError(
          `Another process has kept the database ${path} locked for ${Math.round(waitedMs)} ms.`,
          "SQLITE_BUSY",
          { cause: error },
        );
      if (waitedMs >= 1_000 && !isReported) {
        isReported = true;
        onWait?.(waitedMs);
      }
    }
    await pause(delayMs * (0.5 + Math.random()));
  }
}
