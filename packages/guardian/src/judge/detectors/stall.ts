import type { WaitingFor } from "../../signal.ts";
import type { Noticed, Watcher } from "./detector.ts";

/** No reply, call or result for `stallMs`, by what is waited for. Counts multiples of it. Approvals, subagents and rate limits may take as long as they take. */
export const stall: Watcher<"stall", "tick"> = {
  name: "stall",
  rungs: { hint: 1, halt: 3 },
  reason: "stall",
  on: "tick",
  notice({ clock, turn }, _, { stallMs }) {
    const what = clock.waitingFor && meaning[clock.waitingFor];
    if (what === undefined || stallMs <= 0 || clock.idleMs < stallMs) return undefined;
    const times = Math.floor((clock.idleMs + clock.stalledMs) / stallMs);
    return {
      cause: `${what.effect ?? clock.waitingFor} ${turn}`,
      seconds: clock.idleMs / 1_000,
      ...what,
      count: Math.min(times, what.count ?? times),
    };
  },
};

/** A silent stream is ended and tried again, then the run is; a tool has a timeout of its own, and people are told; a loop that waits for nothing is reminded. */
const meaning: Partial<Record<WaitingFor, Partial<Omit<Noticed, "cause">>>> = {
  "first-byte": { effect: "interrupt", isUrgent: true, advice: "retry", subject: "the model's reply" },
  stream: { effect: "interrupt", isUrgent: true, advice: "retry", subject: "more of the model's reply" },
  tool: { count: 1, isForUser: true, advice: "tool-timeout", subject: "a tool" },
  nothing: { count: 1, advice: "next-step", subject: "nothing in particular" },
};
