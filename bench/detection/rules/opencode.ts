import { rowLengths } from "./in-a-row.ts";
import { plainKey } from "./keys.ts";
import { at, type Rule } from "./rule.ts";

const equalCalls = 3;

/**
 * opencode (1.18, doom_loop), read generously: three equal calls in a row, arguments as written, in any messages. The
 * call waits until the user permits it.
 */
export const opencodeGenerous: Rule = {
  name: "opencode (read generously)",
  *reactions(run) {
    for (const { call, length } of rowLengths(run, plainKey)) if (length >= equalCalls) yield at(call, "block");
  },
};

/**
 * opencode, literally: the last three parts of one assistant message are equal calls. Each step is a message, so only a
 * batch can fire.
 */
export const opencode: Rule = {
  name: "opencode (literally)",
  *reactions(run) {
    for (const { calls } of run.steps) {
      const keys = calls.map(plainKey);
      for (const [index, call] of calls.entries())
        if (index >= 2 && keys[index] === keys[index - 1] && keys[index] === keys[index - 2]) yield at(call, "block");
    }
  },
};
