import type { SignalOf, WaitingFor } from "./signal.ts";
import type { Clock, GuardianState } from "./state.ts";

const GAP_MS = 30_000;

/** What may take as long as it takes, and the part of it that is no work. */
const patient: readonly WaitingFor[] = ["approval", "child", "rate-limit"];
const unpaid: readonly WaitingFor[] = ["approval", "rate-limit"];

/** Time passed is the sum of gaps, each clipped: a clock that jumps and a laptop that sleeps do no harm. */
export function passTime(state: GuardianState, at: number): GuardianState {
  const { clock } = state;
  const gap = clock.at === 0 ? 0 : Math.min(Math.max(at - clock.at, 0), GAP_MS);
  const workMs = includes(unpaid, clock.waitingFor) ? clock.workMs : clock.workMs + gap;
  return { ...state, clock: { ...clock, at, elapsedMs: clock.elapsedMs + gap, idleMs: clock.idleMs + gap, workMs } };
}

/** The run waits for something else now. A retry waits for what the first attempt waited for; after an approval the waiting begins anew. */
export function onWaiting(state: GuardianState, signal: SignalOf<"waiting">): GuardianState {
  const { clock } = state;
  return { ...state, clock: { ...clock, idleMs: includes(patient, clock.waitingFor) ? 0 : clock.idleMs, waitingFor: signal.for } };
}

function includes(some: readonly WaitingFor[], waitingFor: WaitingFor | undefined): boolean {
  return waitingFor !== undefined && some.includes(waitingFor);
}

/** The clock after a sign of life. */
export function alive(clock: Clock): Clock {
  return { ...clock, idleMs: 0 };
}
