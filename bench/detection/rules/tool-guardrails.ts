import {
  defaultThresholds,
  type Escalation,
  escalation,
  fresh,
  recordFailure,
  recordSuccess,
} from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatRun } from "../flat-run.ts";
import type { Action, Reaction } from "../reaction.ts";
import { hasFailed } from "./failed.ts";
import { plainKey, resultText } from "./keys.ts";
import { isReading } from "./kinds.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/**
 * tool_guardrails (Gleam, by its documented interface, thresholds 3/5/5/8/2/5): failures of the same tool in a row, of
 * the same arguments, in total; equal results of idempotent tools at the tail. One success resets the failures; a user
 * message resets everything. It warns, then blocks the tool, then halts the loop.
 */
export const toolGuardrails: Rule = {
  name: "tool guardrails (Gleam)",
  reactions: (run) => escalations(run, defaultThresholds.noProgressWarn),
  tuned: tunedTo([2, 3, 4, 5], escalations),
};

const actions = {
  none: undefined,
  warn: "hint",
  "block-tool": "block",
  "halt-loop": "stop",
} as const satisfies Record<Escalation["type"], Action | undefined>;

/** Warns at `equalAnswers` equal answers; the other thresholds keep their distance to this one. */
function* escalations(run: FlatRun, equalAnswers: number): Generator<Reaction> {
  const patience = equalAnswers - defaultThresholds.noProgressWarn;
  const raised = Object.entries(defaultThresholds).map(([name, threshold]) => [name, threshold + patience]);
  const thresholds = Object.fromEntries(raised);
  let state = fresh();
  let userTurn = 0;
  for (const call of run.calls) {
    if (call.userTurn !== userTurn) state = fresh();
    userTurn = call.userTurn;
    const isFailed = hasFailed(call);
    state = isFailed
      ? recordFailure(state, call.tool, plainKey(call))
      : recordSuccess(state, call.tool, plainKey(call), isReading(call) ? resultText(call) : undefined);
    const action = actions[escalation(state, thresholds).type];
    if (action !== undefined && (isFailed || isReading(call))) yield at(call, action);
  }
}
