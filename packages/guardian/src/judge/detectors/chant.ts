import type { Watcher } from "./detector.ts";

/** Text, thinking or tool input that repeats itself while it streams: any unit from one token to 1,000 characters. Counts streams that did, since the last progress. */
export const chant: Watcher<"chant", "delta"> = {
  name: "chant",
  rungs: { hint: 1, warn: 2, halt: 3 },
  reason: "chant",
  on: "delta",
  notice({ chanting, chants }) {
    if (chanting === undefined) return undefined;
    const { period, repeats, surplus } = chanting;
    return {
      cause: "",
      count: chants,
      advice: "stop-repeating",
      effect: "interrupt",
      isUrgent: true,
      isEachTime: true,
      period,
      times: Math.floor(repeats),
      surplus,
    };
  },
};
