import { escalation, fresh, recordFailure, recordSuccess } from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { plainKey, resultText } from "./keys.ts";
import { isReading } from "./kinds.ts";
import type { Rule } from "./rule.ts";

/**
 * tool_guardrails (Gleam, by its documented interface, thresholds 3/5/5/8/2/5): failures of the same tool in a row, of
 * the same arguments, in total; equal results of idempotent tools at the tail. One success resets the failures; a user
 * message resets everything. First reaction: a warning.
 */
export const toolGuardrails: Rule = {
  name: "tool guardrails (Gleam)",
  firstReaction: firstEscalation,
};

function firstEscalation(run: FlatRun): number | undefined {
  let state = fresh();
  let userTurn = 0;
  for (const call of run.calls) {
    if (call.userTurn !== userTurn) state = fresh();
    userTurn = call.userTurn;
    state = hasFailed(call)
      ? recordFailure(state, call.tool, plainKey(call))
      : recordSuccess(state, call.tool, plainKey(call), isReading(call) ? resultText(call) : undefined);
    if (escalation(state).type !== "none") return call.index;
  }
  return undefined;
}
