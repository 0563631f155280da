import type { FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { rowLengths } from "./in-a-row.ts";
import { stableKey } from "./keys.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/**
 * cline SDK, LoopDetectionTracker (soft 3, hard 5): three equal calls in a row, keys sorted, get a note in the
 * conversation; five count as the last allowed mistake, which ends the run unless a callback continues it.
 */
export const cline: Rule = {
  name: "cline",
  reactions: (run) => equalCalls(run, 3),
  tuned: tunedTo([2, 3, 4, 5], equalCalls),
};

function* equalCalls(run: FlatRun, soft: number): Generator<Reaction> {
  for (const { call, length } of rowLengths(run, stableKey)) {
    if (length === soft) yield at(call, "hint");
    if (length >= soft + 2) yield at(call, "stop");
  }
}
