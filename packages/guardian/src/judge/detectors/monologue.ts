import { similarity } from "../../perceive/sketch.ts";
import type { Message } from "../../state.ts";
import type { Watcher } from "./detector.ts";

/** Replies that announce and do not act: nearly the same message again, empty replies, answers to "continue" without a person in between. Counts replies; short ones about other things half, where nobody but a machine had asked. */
export const monologue: Watcher<"monologue", "reply"> = {
  name: "monologue",
  rungs: { hint: 3, warn: 4, halt: 6 },
  reason: "monologue",
  on: "reply",
  notice({ messages }) {
    const newest = messages.at(-1);
    if (newest === undefined) return undefined;
    const count = messages.slice(0, -1).reduce((sum, earlier) => sum + repeats(earlier, newest), 1);
    return count < 2 ? undefined : { cause: "", count, advice: newest.words === "" ? "empty" : "act" };
  },
};

function repeats(earlier: Message, newest: Message): number {
  const likeness = earlier.words === newest.words ? 1 : similarity(earlier.words, newest.words);
  if (likeness >= 0.4) return likeness >= 0.7 ? 1 : 0.8;
  return earlier.isNudged && newest.isNudged ? 0.5 : 0;
}
