import { untilAborted } from "../async/until-aborted.ts";
import type { Clock } from "../protocol/clock.ts";

/** How long to wait before each further attempt to reserve money that other requests hold: 45 seconds in all. */
const WAITS_MS: readonly number[] = [500, 1_000, 2_000, 4_000, 7_500, 10_000, 10_000, 10_000];

/** An attempt to reserve a request. `isPassing`: only other requests in flight are in the way. */
export type ReserveAttempt<Granted, Refused> =
  | { readonly ok: true; readonly granted: Granted }
  | { readonly ok: false; readonly refused: Refused; readonly isPassing: boolean };

export interface BudgetWaitOptions<Refused> {
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
  onWait(refused: Refused, waitMs: number): void;
}

/** Repeats an attempt while only other requests are in the way, for a limited time. Returns the last attempt. */
export async function reserveWithWaits<Granted, Refused>(
  attempt: () => Promise<ReserveAttempt<Granted, Refused>>,
  { clock, signal, onWait }: BudgetWaitOptions<Refused>,
): Promise<ReserveAttempt<Granted, Refused>> {
  let last = await attempt();
  for (const waitMs of WAITS_MS) {
    if (last.ok || !last.isPassing || signal.aborted) return last;
    onWait(last.refused, waitMs);
    await untilAborted(clock.sleep(waitMs, signal), signal).catch(() => undefined); // the signal is checked below
    if (signal.aborted) return last;
    last = await attempt();
  }
  return last;
}
