import { recoverByAcceptance } from "../detect/recovery.ts";
import { perceiveText } from "../perceive/perceive.ts";
import type { SignalOf } from "../signal.ts";
import { bounds } from "../state/bounds.ts";
import type { StepContext } from "../state/step-context.ts";

/**
 * A judge has read an answer. A refusal is stored by the words of its hint; an acceptance ends the row of refusals.
 * Returns the ids of the episodes that closed.
 */
export function onVerdict({ policy, state }: StepContext, { verdict, hint }: SignalOf<"verdict">): readonly string[] {
  // The refusal is the cause and names it: similar answers to the judge's hints are no monologue besides.
  const rungs = policy.detectors["refused-answers"] ?? {};
  if (Object.keys(rungs).length > 0) state.textReplies = [];
  switch (verdict) {
    case "accept":
      state.refusedAnswers = [];
      return recoverByAcceptance(state);
    case "escalate":
      return []; // the run ends
    case "retry":
    case "continue":
      state.refusedAnswers = [...state.refusedAnswers, perceiveText(hint ?? "")].slice(-bounds.refusedAnswers);
      return [];
    default:
      return verdict satisfies never;
  }
}
