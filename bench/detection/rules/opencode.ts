import type { FlatStep } from "../flat-run.ts";
import { inARow } from "./in-a-row.ts";
import { plainKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/** opencode (1.18, doom_loop) read generously: three equal calls in a row, arguments as written, wherever they stand. First reaction: a person is asked for permission. */
export const opencodeGenerous: Rule = {
  name: "opencode (read generously)",
  firstReaction: (run) => inARow(run, 3, plainKey),
};

/** opencode as its code reads: the last three parts of one assistant message are equal calls. A step is a message of its own, so only a batch can fire. */
export const opencode: Rule = {
  name: "opencode (literally)",
  firstReaction(run) {
    for (const step of run.steps) {
      const found = inOneMessage(step);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};

function inOneMessage({ calls }: FlatStep): number | undefined {
  const keys = calls.map(plainKey);
  return calls.find((_, place) => place >= 2 && keys[place] === keys[place - 1] && keys[place] === keys[place - 2])
    ?.index;
}
