import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { stable } from "./keys.ts";
import { isMutating } from "./kinds.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

const windowSteps = 20;

/**
 * deer-flow, loop detection middleware (2026): the set of a step's calls, in any order, three times in the last twenty
 * steps. A call is identified by its salient arguments (path, url, query, command, pattern) if it has any, a file read
 * by its block of 200 lines, a write by all arguments. A user message changes nothing. The model is warned once about a
 * set; at the fifth time the calls are removed and the model has to answer, which ends the run.
 */
export const deerFlow: Rule = {
  name: "deer-flow",
  reactions: (run) => sameSet(run, 3),
  tuned: tunedTo([2, 3, 4, 5], sameSet),
};

function* sameSet(run: FlatRun, threshold: number): Generator<Reaction> {
  const sets: string[] = [];
  const warned = new Set<string>();
  for (const { calls } of run.steps) {
    const last = calls.at(-1);
    if (last === undefined) continue;
    const set = calls.map(signatureOf).sort().join("\n");
    sets.push(set);
    const times = sets.slice(-windowSteps).filter((each) => each === set).length;
    if (times >= threshold + 2) yield at(last, "stop");
    else if (times >= threshold && !warned.has(set)) {
      warned.add(set);
      yield at(last, "hint");
    }
  }
}

const salient = ["path", "url", "query", "command", "pattern"];

function signatureOf(call: FlatCall): string {
  const { tool, args } = call;
  if (typeof args !== "object" || args === null || isMutating(call)) return `${tool} ${stable(args)}`;
  const salientArgs = Object.entries(args).filter(([key]) => salient.includes(key));
  const lines =
    tool === "read_file" && "start_line" in args && typeof args.start_line === "number"
      ? Math.floor(args.start_line / 200)
      : "";
  return `${tool} ${lines} ${stable(salientArgs.length > 0 ? Object.fromEntries(salientArgs) : args)}`;
}
