import { plainKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

const KEPT = 25;
const REPEATS = 5;
const LONGEST = 5;

/**
 * gemini-cli 0.61.0, LoopDetectionService without its language model: the last calls are five repetitions of one to five calls, by tool and
 * arguments as written. A person's prompt starts afresh. First reaction: feedback to the model (the first strike).
 */
export const geminiCli: Rule = {
  name: "gemini-cli",
  firstReaction(run) {
    let keys: string[] = [];
    let personTurn = 0;
    for (const call of run.calls) {
      if (call.personTurn !== personTurn) keys = [];
      personTurn = call.personTurn;
      keys = [...keys, plainKey(call)].slice(-KEPT);
      if (isCycle(keys)) return call.index;
    }
    return undefined;
  },
};

function isCycle(keys: readonly string[]): boolean {
  for (let period = 1; period <= LONGEST; period++) {
    const tail = keys.slice(-period * REPEATS);
    if (tail.length === period * REPEATS && tail.every((key, place) => key === tail[place % period])) return true;
  }
  return false;
}
