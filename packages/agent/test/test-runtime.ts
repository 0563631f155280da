import { type Clock, createRuntime, type Model, type Runtime, type RuntimeOptions, type Tool } from "@sheepdog/agent";

/** A clock that stands still until it is told otherwise: waiting is instant and moves it, ticks come when asked for. */
export interface ManualClock extends Clock {
  /** Moves the clock in steps of ten seconds, with a tick after each. */
  advance(ms: number): void;
}

let clocks = 0;

export function manualClock(): ManualClock {
  let now = 1_700_000_000_000;
  let ids = 0;
  const clock = clocks++;
  const ticking = new Set<() => void>();
  const later = new Set<{ readonly at: number; readonly act: () => void }>();
  return {
    now: () => (now += 1),
    async sleep(ms) {
      now += ms;
    },
    after(ms, act) {
      const due = { at: now + ms, act };
      later.add(due);
      return () => void later.delete(due);
    },
    every(_ms, act) {
      ticking.add(act);
      return () => void ticking.delete(act);
    },
    random: () => 0.5,
    newId: (prefix) => `${prefix}_${clock}_${ids++}`, // no id of another clock: a session may outlive it
    advance(ms) {
      for (let left = ms; left > 0; left -= 10_000) {
        now += Math.min(left, 10_000);
        for (const due of later) if (due.at <= now && later.delete(due)) due.act();
        for (const act of ticking) act();
      }
    },
  };
}

/** A runtime on a clock of its own. */
export function testRuntime(
  model: Model,
  tools: readonly Tool[] = [],
  more: Partial<RuntimeOptions> = {},
): { readonly runtime: Runtime; readonly clock: ManualClock } {
  const clock = manualClock();
  return { runtime: createRuntime({ models: [model], tools, clock, gate: open, ...more }), clock };
}

/** Lets everything pass: the gate has tests of its own. */
const open: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 0, decision: "allow", reason: "a test" }),
};
