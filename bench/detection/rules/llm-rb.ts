import type { FlatRun } from "../flat-run.ts";
import { plainKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/**
 * llm.rb, LLM::LoopGuard (threshold 3): the tail of all calls of the context repeats, any period, shortest first, results and persons ignored.
 * Looked at when the calls of a message are pending. First reaction: all of them are answered with an error.
 */
export const llmRb: Rule = {
  name: "llm.rb LoopGuard",
  firstReaction: (run) => repeatingTail(run, 3),
  tuned: [2, 3, 4, 5].map((threshold) => ({ threshold, firstReaction: (run) => repeatingTail(run, threshold) })),
};

function repeatingTail(run: FlatRun, threshold: number): number | undefined {
  const keys: string[] = [];
  for (const { calls } of run.steps) {
    keys.push(...calls.map(plainKey));
    const last = calls.at(-1);
    if (last !== undefined && isRepeating(keys, threshold)) return last.index;
  }
  return undefined;
}

function isRepeating(keys: readonly string[], threshold: number): boolean {
  for (let period = 1; period * threshold <= keys.length; period++) {
    const tail = keys.slice(-period * threshold);
    if (tail.every((key, place) => key === tail[place % period])) return true;
  }
  return false;
}
