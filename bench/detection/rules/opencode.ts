import type { FlatStep } from "../flat-run.ts";
import { inARow } from "./in-a-row.ts";
import { plainKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/**
 * opencode (1.18, doom_loop), read generously: three equal calls in a row, arguments as written, in any messages. First
 * reaction: the user is asked for permission.
 */
export const opencodeGenerous: Rule = {
  name: "opencode (read generously)",
  firstReaction: (run) => inARow(run, 3, plainKey),
};

/**
 * opencode, literally: the last three parts of one assistant message are equal calls. Each step is a message, so only a
 * batch can fire.
 */
export const opencode: Rule = {
  name: "opencode (literally)",
  firstReaction(run) {
    for (const step of run.steps) {
      const index = inOneMessage(step);
      if (index !== undefined) return index;
    }
    return undefined;
  },
};

function inOneMessage({ calls }: FlatStep): number | undefined {
  const keys = calls.map(plainKey);
  return calls.find((_, index) => index >= 2 && keys[index] === keys[index - 1] && keys[index] === keys[index - 2])
    ?.index;
}
