import { tailRepetitions } from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatRun } from "../flat-run.ts";
import { plainKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/**
 * llm.rb, LLM::LoopGuard (threshold 3): the tail of all calls of the context repeats, with any period, shortest first.
 * Results and user messages are ignored. It is checked when the calls of a message are pending. First reaction: all of
 * them get an error as result.
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
    if (last !== undefined && tailRepetitions(keys, threshold) !== undefined) return last.index;
  }
  return undefined;
}
