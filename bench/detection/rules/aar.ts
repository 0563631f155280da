import { isStuck, observeToolCalls } from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatRun } from "../flat-run.ts";
import type { Rule } from "./rule.ts";

/**
 * AAR (guardrails.py, max_repeated_tool_steps 3, read_only_loop_threshold 8): the set of calls of a step, each value cut to 200 characters,
 * equal to the step before; at the third repetition, so with the fourth equal step, the run ends before its calls are executed.
 * Eight steps in a row of nothing but its own reading tools are nudged. Nothing is reset by a person. First reaction: the end of the run, or the nudge.
 */
export const aar: Rule = {
  name: "AAR",
  firstReaction: firstRepeat,
};

const readOnly = new Set([
  "read_file",
  "list_directory",
  "grep",
  "find_files",
  "find_projects",
  "read_issue",
  "whoami",
  "list_my_issues",
]);

function firstRepeat(run: FlatRun): number | undefined {
  let state = observeToolCalls({}, []);
  let reading = 0;
  for (const { calls } of run.steps) {
    const last = calls.at(-1);
    if (last === undefined) continue;
    state = observeToolCalls(
      state,
      calls.map(({ tool, args }) => ({ name: tool, args })),
    );
    reading = calls.every((call) => readOnly.has(call.tool)) ? reading + 1 : 0;
    if (isStuck(state) || reading >= 8) return last.index;
  }
  return undefined;
}
