import type { Watcher } from "./detector.ts";

/**
 * Text, thinking or tool input that repeats itself while it streams, with units from one token to 1,000 characters.
 * Counts such streams since the last progress.
 */
export const chant: Watcher<"chant", "delta"> = {
  name: "chant",
  reason: "chant",
  on: "delta",
  notice(state) {
    if (state.chant === undefined) return undefined;
    const { period, repeats, surplus } = state.chant;
    return {
      cause: "",
      count: state.chantCount,
      advice: "stop-repeating",
      effect: "interrupt",
      isUrgent: true,
      interruptsEachTime: true,
      period,
      repetitions: Math.floor(repeats),
      surplus,
    };
  },
};
