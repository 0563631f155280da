import { similarity } from "../../perceive/sketch.ts";
import type { TextReply } from "../../state/guardian-state.ts";
import type { Watcher } from "./detector.ts";

/**
 * Replies that announce and do not act: similar messages, empty replies, answers to "continue" without a person in
 * between. Counts replies; short answers to automatic messages about other things count half.
 */
export const monologue: Watcher<"monologue", "reply"> = {
  name: "monologue",
  reason: "monologue",
  on: "reply",
  notice({ textReplies }) {
    const newest = textReplies.at(-1);
    if (newest === undefined) return undefined;
    const count = textReplies.slice(0, -1).reduce((sum, earlier) => sum + repetition(earlier, newest), 1);
    return count < 2 ? undefined : { cause: "", count, advice: newest.words === "" ? "empty" : "act" };
  },
};

function repetition(earlier: TextReply, newest: TextReply): number {
  const likeness = earlier.words === newest.words ? 1 : similarity(earlier.words, newest.words);
  if (likeness >= 0.4) return likeness >= 0.7 ? 1 : 0.8;
  return earlier.isNudged && newest.isNudged ? 0.5 : 0;
}
