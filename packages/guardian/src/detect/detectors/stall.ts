import type { WaitingFor } from "../../signal.ts";
import type { GuardianState } from "../../state/guardian-state.ts";
import type { Watcher, WatcherDetection } from "./detector.ts";

/**
 * A reply that streams for this many times `stallMs` without ending or calling is a stall as well: 40 minutes by
 * default. Models may think for half an hour, and a long answer may have been asked for.
 */
const LONG_REPLY = 20;

/**
 * No reply, call or result for `stallMs`, depending on what the run is waiting for. Counts multiples of `stallMs`.
 * Waiting for approvals, subagents and rate limits is never a stall. A reply that streams for very long is one.
 */
export const stall: Watcher<"stall", "tick"> = {
  name: "stall",
  reason: "stall",
  on: "tick",
  notice(state, _, { stallMs }) {
    if (stallMs <= 0) return undefined;
    return silence(state, stallMs) ?? endlessReply(state, stallMs);
  },
};

function silence({ clock, turn }: GuardianState, stallMs: number): WatcherDetection | undefined {
  const reaction = clock.waitingFor === undefined ? undefined : reactions[clock.waitingFor];
  if (reaction === undefined || clock.idleMs < stallMs) return undefined;
  const times = Math.floor((clock.idleMs + clock.stalledMs) / stallMs);
  return {
    cause: `${reaction.effect ?? clock.waitingFor} ${turn}`,
    silentSeconds: clock.idleMs / 1_000,
    ...reaction,
    count: Math.min(times, reaction.count ?? times),
  };
}

/**
 * A silent stream is interrupted and tried again, then the run ends. A tool has its own timeout, so the user is
 * informed. A loop that waits for nothing gets a hint.
 */
const reactions: Partial<Record<WaitingFor, Partial<Omit<WatcherDetection, "cause">>>> = {
  "first-byte": { effect: "interrupt", isUrgent: true, advice: "retry", subject: "the model's reply" },
  stream: { effect: "interrupt", isUrgent: true, advice: "retry", subject: "more of the model's reply" },
  tool: { count: 1, isForUser: true, advice: "tool-timeout", subject: "a tool" },
  nothing: { count: 1, advice: "next-step", subject: "nothing in particular" },
};

/**
 * Text may be a long answer that was asked for, so only the user is informed. Thinking is no answer: it is interrupted,
 * and if it continues the run ends.
 */
function endlessReply({ clock, turn, streams }: GuardianState, stallMs: number): WatcherDetection | undefined {
  const times = Math.floor(clock.replyMs / (LONG_REPLY * stallMs));
  if (times < 1) return undefined;
  const silentSeconds = clock.replyMs / 1_000;
  if (streams.text !== undefined)
    return { cause: `text ${turn}`, count: 1, silentSeconds, isForUser: true, advice: "long-reply" };
  if (streams.thinking === undefined) return undefined;
  return {
    cause: "thinking",
    count: times,
    silentSeconds,
    effect: "interrupt",
    isUrgent: true,
    advice: "stop-thinking",
  };
}
