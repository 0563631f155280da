import { plainKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

const maxKeys = 25;
const repeats = 5;
const maxPeriod = 5;

/**
 * gemini-cli 0.61.0, LoopDetectionService without its language model: the last calls are five repetitions of one to
 * five calls, by tool and arguments as written. A user message resets it. First reaction: feedback to the model (the
 * first strike).
 */
export const geminiCli: Rule = {
  name: "gemini-cli",
  firstReaction(run) {
    let keys: string[] = [];
    let userTurn = 0;
    for (const call of run.calls) {
      if (call.userTurn !== userTurn) keys = [];
      userTurn = call.userTurn;
      keys = [...keys, plainKey(call)].slice(-maxKeys);
      if (isCycle(keys)) return call.index;
    }
    return undefined;
  },
};

function isCycle(keys: readonly string[]): boolean {
  for (let period = 1; period <= maxPeriod; period++) {
    const tail = keys.slice(-period * repeats);
    if (tail.length === period * repeats && tail.every((key, index) => key === tail[index % period])) return true;
  }
  return false;
}
