import { plainKey } from "./keys.ts";
import { at, type Rule } from "./rule.ts";

const maxKeys = 25;
const repeats = 5;
const maxPeriod = 5;

/**
 * gemini-cli 0.61.0, LoopDetectionService without its language model: the last calls are five repetitions of one to
 * five calls, by tool and arguments as written. A user message resets it. The first strike is feedback to the model,
 * the second ends the turn.
 */
export const geminiCli: Rule = {
  name: "gemini-cli",
  *reactions(run) {
    let keys: string[] = [];
    let strikes = 0;
    let userTurn = 0;
    for (const call of run.calls) {
      if (call.userTurn !== userTurn) {
        keys = [];
        strikes = 0;
      }
      userTurn = call.userTurn;
      keys = [...keys, plainKey(call)].slice(-maxKeys);
      if (!isCycle(keys)) continue;
      strikes += 1;
      yield at(call, strikes === 1 ? "hint" : "stop");
    }
  },
};

function isCycle(keys: readonly string[]): boolean {
  for (let period = 1; period <= maxPeriod; period++) {
    const tail = keys.slice(-period * repeats);
    if (tail.length === period * repeats && tail.every((key, index) => key === tail[index % period])) return true;
  }
  return false;
}
