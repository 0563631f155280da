import type { Channel, WaitingFor } from "../signal.ts";
import type { Draft } from "./draft.ts";

/** A longer gap between two signals counts as this much. */
const MAX_GAP_MS = 30_000;

/** Adds the time since the last signal. Gaps are clipped, so that clock jumps and a sleeping laptop do no harm. */
export function passTime({ clock }: Draft, at: number): void {
  const gapMs = clock.at === 0 ? 0 : Math.min(Math.max(at - clock.at, 0), MAX_GAP_MS);
  if (!isExcludedFromWork(clock.waitingFor)) clock.workMs += gapMs;
  clock.elapsedMs += gapMs;
  clock.idleMs += gapMs;
  if (clock.waitingFor === "stream" || clock.waitingFor === "first-byte") clock.replyMs += gapMs;
  // A slightly earlier time comes from another clock; a much earlier one means that the clock was set back.
  if (at >= clock.at || clock.at - at > MAX_GAP_MS) clock.at = at;
}

/** A meaningful action: a call, a result, a complete reply, a message. It also ends the waiting for other parties. */
export function onActivity({ clock }: Draft): void {
  const { waitingFor } = clock;
  clock.idleMs = 0;
  clock.replyMs = 0;
  clock.stalledMs = 0;
  if (waitingFor === "approval" || waitingFor === "child" || waitingFor === "rate-limit") clock.waitingFor = undefined;
}

/**
 * A part of a reply: a sign of life, but a meaningful action only when it belongs to a call. A stall before it is
 * remembered until the reply is complete.
 */
export function onStreamActivity(state: Draft, channel: Channel, stallMs: number): void {
  const { idleMs, replyMs, stalledMs } = state.clock;
  onActivity(state);
  if (channel !== "tool-input") state.clock.replyMs = replyMs;
  state.clock.stalledMs = stalledMs + (stallMs > 0 && idleMs >= stallMs ? idleMs : 0);
}

/**
 * Waits excluded from the time limit: a person may take their time. Waiting for a provider counts, so that a run which
 * retries until its time is used up does end.
 */
function isExcludedFromWork(waitingFor: WaitingFor | undefined): boolean {
  return waitingFor === "approval";
}
