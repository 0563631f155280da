import { tailRepetitions } from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { plainKey } from "./keys.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/**
 * llm.rb, LLM::LoopGuard (threshold 3): the tail of all calls of the context repeats, with any period, shortest first.
 * Results and user messages are ignored. It is checked when the calls of a message are pending: all of them get an
 * error as result.
 */
export const llmRb: Rule = {
  name: "llm.rb LoopGuard",
  reactions: (run) => repeatingTail(run, 3),
  tuned: tunedTo([2, 3, 4, 5], repeatingTail),
};

function* repeatingTail(run: FlatRun, threshold: number): Generator<Reaction> {
  const keys: string[] = [];
  for (const { calls } of run.steps) {
    keys.push(...calls.map(plainKey));
    const last = calls.at(-1);
    if (last !== undefined && tailRepetitions(keys, threshold) !== undefined) yield at(last, "block");
  }
}
