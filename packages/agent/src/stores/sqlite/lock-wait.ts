import { setTimeout as pause } from "node:timers/promises";
import { DatabaseError, isBusy } from "./errors.ts";

/** How long another process's lock is waited for. */
export interface LockWait {
  readonly path: string;
  /** 120 s unless told. */
  readonly lockWaitMs?: number | undefined;
  /** Told once when something has waited for a second. */
  readonly onWait?: ((waitedMs: number) => void) | undefined;
}

/** Does the work as soon as nobody else has the lock. It waits between attempts and not in them, so that the process goes on meanwhile. */
export async function retryWhileLocked<T>(
  work: () => T | Promise<T>,
  { path, lockWaitMs = 120_000, onWait }: LockWait,
): Promise<T> {
  let begun: number | undefined;
  let isTold = false;
  for (let ms = 2; ; ms = Math.min(50, ms * 1.5)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      begun ??= performance.now();
      const waitedMs = performance.now() - begun;
      if (waitedMs >= lockWaitMs)
        throw new DatabaseError(
          `Another process has kept the database ${path} locked for ${Math.round(waitedMs)} ms.`,
          "SQLITE_BUSY",
          { cause: error },
        );
      if (waitedMs >= 1_000 && !isTold) onWait?.(waitedMs);
      isTold ||= waitedMs >= 1_000;
    }
    await pause(ms * (0.5 + Math.random()));
  }
}
