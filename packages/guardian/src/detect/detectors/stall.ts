import type { WaitingFor } from "../../signal.ts";
import type { Watcher, WatcherDetection } from "./detector.ts";

/**
 * No reply, call or result for `stallMs`, depending on what the run is waiting for. Counts multiples of `stallMs`.
 * Waiting for approvals, subagents and rate limits is never a stall.
 */
export const stall: Watcher<"stall", "tick"> = {
  name: "stall",
  reason: "stall",
  on: "tick",
  notice({ clock, turn }, _, { stallMs }) {
    const reaction = clock.waitingFor === undefined ? undefined : reactions[clock.waitingFor];
    if (reaction === undefined || stallMs <= 0 || clock.idleMs < stallMs) return undefined;
    const times = Math.floor((clock.idleMs + clock.stalledMs) / stallMs);
    return {
      cause: `${reaction.effect ?? clock.waitingFor} ${turn}`,
      silentSeconds: clock.idleMs / 1_000,
      ...reaction,
      count: Math.min(times, reaction.count ?? times),
    };
  },
};

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
