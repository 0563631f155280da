import type { Draft } from "./draft.ts";
import type { SignalOf, WaitingFor } from "./signal.ts";

const GAP_MS = 30_000;

/** What is no work: it may take as long as it takes. */
function isUnpaid(waiting: WaitingFor | undefined): boolean {
  return waiting === "approval" || waiting === "rate-limit";
}

/** What a request waits for: a retry goes on waiting. */
function isOfRequest(waiting: WaitingFor | undefined): boolean {
  return waiting === "first-byte" || waiting === "stream";
}

/** Time passed is the sum of gaps, each clipped: a clock that jumps and a laptop that sleeps do no harm, nor do two clocks that differ a little. */
export function passTime({ clock }: Draft, at: number): void {
  const gap = clock.at === 0 ? 0 : Math.min(Math.max(at - clock.at, 0), GAP_MS);
  if (!isUnpaid(clock.waitingFor)) clock.workMs += gap;
  clock.elapsedMs += gap;
  clock.idleMs += gap;
  if (at >= clock.at || clock.at - at > GAP_MS) clock.at = at;
}

/** The run waits for something else now. */
export function onWaiting({ clock }: Draft, signal: SignalOf<"waiting">): void {
  const goesOn = isOfRequest(clock.waitingFor) && isOfRequest(signal.for);
  if (!goesOn) clock.idleMs = 0;
  clock.waitingFor = signal.for;
}

/** A sign of life, which also ends the waiting for people, subagents and rate limits. */
export function alive({ clock }: Draft): void {
  clock.idleMs = 0;
  clock.stalledMs = 0;
  if (isUnpaid(clock.waitingFor) || clock.waitingFor === "child") clock.waitingFor = undefined;
}

/** A part of a reply: a silence before it that was too long is not forgotten until the reply is whole. */
export function streaming(state: Draft, stallMs: number): void {
  const { idleMs, stalledMs } = state.clock;
  alive(state);
  state.clock.stalledMs = stalledMs + (stallMs > 0 && idleMs >= stallMs ? idleMs : 0);
}
