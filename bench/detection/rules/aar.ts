import { isStuck, observeToolCalls } from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

const readingLimit = 8;

/**
 * AAR (guardrails.py, max_repeated_tool_steps 3, read_only_loop_threshold 8): the set of calls of a step, each value
 * cut to 200 characters, equals the previous step. At the third repetition, the fourth equal step, the run ends before
 * its calls are executed. Eight steps in a row with only AAR's reading tools get a nudge. A user message resets
 * nothing.
 */
export const aar: Rule = {
  name: "AAR",
  reactions: (run) => repeatedSteps(run, 3),
  tuned: tunedTo([1, 2, 3, 4], repeatedSteps),
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

function* repeatedSteps(run: FlatRun, maxRepeatedToolSteps: number): Generator<Reaction> {
  let state = observeToolCalls({}, []);
  let readingSteps = 0;
  for (const { calls } of run.steps) {
    const last = calls.at(-1);
    if (last === undefined) continue;
    state = observeToolCalls(
      state,
      calls.map(({ tool, args }) => ({ name: tool, args })),
    );
    readingSteps = calls.every((call) => readOnly.has(call.tool)) ? readingSteps + 1 : 0;
    if (isStuck(state, { maxRepeatedToolSteps })) yield at(last, "stop");
    else if (readingSteps === readingLimit) yield at(last, "hint");
  }
}
