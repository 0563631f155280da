import type { FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { rowLengths } from "./in-a-row.ts";
import { stableKey } from "./keys.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/**
 * Roo-Code, ToolRepetitionDetector (limit 3): the third repetition of the previous call, so the fourth equal call, is
 * refused and the user is asked; then it counts from zero again. Keys are sorted.
 */
export const rooCode: Rule = {
  name: "Roo-Code",
  reactions: (run) => repetitions(run, 3),
  tuned: tunedTo([1, 2, 3, 4], repetitions),
};

function* repetitions(run: FlatRun, limit: number): Generator<Reaction> {
  for (const { call, length } of rowLengths(run, stableKey)) if (length % (limit + 1) === 0) yield at(call, "block");
}
