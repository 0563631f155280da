import type { FlatCall, FlatRun } from "../flat-run.ts";
import { stable } from "./keys.ts";
import { isMutating } from "./kinds.ts";
import type { Rule } from "./rule.ts";

const windowSteps = 20;

/**
 * deer-flow, loop detection middleware (2026): the set of a step's calls, in any order, three times in the last twenty
 * steps. A call is identified by its salient arguments (path, url, query, command, pattern) if it has any, a file read
 * by its block of 200 lines, a write by all arguments. A user message changes nothing. First reaction: the calls are
 * removed and the model is warned.
 */
export const deerFlow: Rule = {
  name: "deer-flow",
  firstReaction: (run) => sameSet(run, 3),
  tuned: [2, 3, 4, 5].map((threshold) => ({ threshold, firstReaction: (run) => sameSet(run, threshold) })),
};

function sameSet(run: FlatRun, threshold: number): number | undefined {
  const sets: string[] = [];
  for (const { calls } of run.steps) {
    const last = calls.at(-1);
    if (last === undefined) continue;
    const set = calls.map(signatureOf).sort().join("\n");
    sets.push(set);
    if (sets.slice(-windowSteps).filter((each) => each === set).length >= threshold) return last.index;
  }
  return undefined;
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
