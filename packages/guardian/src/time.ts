import type { SignalOf, WaitingFor } from "./signal.ts";
import { type Clock, type GuardianState, initialState } from "./state.ts";

const GAP_MS = 30_000;

/** What may take as long as it takes, and the part of it that is no work. */
const patient: readonly (WaitingFor | undefined)[] = ["approval", "child", "rate-limit"];
const unpaid: readonly (WaitingFor | undefined)[] = ["approval", "rate-limit"];
/** What a request waits for: a retry goes on waiting. */
const ofRequest: readonly (WaitingFor | undefined)[] = ["first-byte", "stream"];

/** Time passed is the sum of gaps, each clipped: a clock that jumps and a laptop that sleeps do no harm, nor do two clocks that differ a little. */
export function passTime(state: GuardianState, at: number): GuardianState {
  const { clock } = state;
  const gap = clock.at === 0 ? 0 : Math.min(Math.max(at - clock.at, 0), GAP_MS);
  const workMs = unpaid.includes(clock.waitingFor) ? clock.workMs : clock.workMs + gap;
  const now = at < clock.at && clock.at - at <= GAP_MS ? clock.at : at;
  const passed = { at: now, elapsedMs: clock.elapsedMs + gap, idleMs: clock.idleMs + gap, stalledMs: clock.stalledMs, workMs };
  // Onto a fresh state, so that every step begins with one and the same shape: V8 gives spreads of spreads ever new ones, and copies those many times slower.
  return Object.assign(initialState(state.digest), state, { clock: waiting(passed, clock.waitingFor) });
}

/** The run waits for something else now. */
export function onWaiting(state: GuardianState, signal: SignalOf<"waiting">): GuardianState {
  const { clock } = state;
  const goesOn = ofRequest.includes(clock.waitingFor) && ofRequest.includes(signal.for);
  return { ...state, clock: { ...clock, idleMs: goesOn ? clock.idleMs : 0, waitingFor: signal.for } };
}

/** The clock after a sign of life, which also ends the waiting for people, sub-agents and rate limits. */
export function alive(clock: Clock): Clock {
  const { at, elapsedMs, workMs, waitingFor } = clock;
  return waiting({ at, elapsedMs, idleMs: 0, stalledMs: 0, workMs }, patient.includes(waitingFor) ? undefined : waitingFor);
}

/** A clock and what is waited for, if anything. That stands first: what is added to a spread gives V8 a new shape each time. */
function waiting(clock: Clock, waitingFor: WaitingFor | undefined): Clock {
  return waitingFor === undefined ? clock : { waitingFor, ...clock };
}

/** The clock after a part of a reply: a silence before it that was too long is not forgotten until the reply is whole. */
export function streaming(clock: Clock, stallMs: number): Clock {
  return { ...alive(clock), stalledMs: clock.stalledMs + (stallMs > 0 && clock.idleMs >= stallMs ? clock.idleMs : 0) };
}
