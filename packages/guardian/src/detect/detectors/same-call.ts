import type { Observation } from "../../state/observation.ts";
import type { Comparison, Pair } from "../comparison.ts";
import { type Count, countEqual } from "../count-equal.ts";
import { type Detector, detectionOf } from "./detector.ts";

/** The same call again and again, however its outcome changes; or note after note without an action. */
export const sameCall: Detector<"same-call"> = {
  name: "same-call",
  reason: "no_progress",
  detect(comparison) {
    const { kind, tool, call } = comparison.newest;
    if (kind === "think") return detectionOf(tool, countNotes(comparison));
    return detectionOf(call.exact, countEqual(comparison, repetitionWeight));
  },
};

/**
 * A poll may be repeated while its answer changes. An equal failure counts in full: the changes in between do not
 * help.
 */
function repetitionWeight(pair: Pair, newest: Observation): number {
  const { likeness, isFailure, isOutcomeEqual, value, discount } = pair;
  if (likeness !== "same") return 0;
  if (isFailure && isOutcomeEqual && discount > 0) return 1;
  return discount * ((newest.kind === "poll" || newest.kind === "move") && value === 0 ? 0.25 : 1);
}

/** The notes since the last action. */
function countNotes({ history, traces }: Comparison): Count {
  const calls = [...traces.map(([index, , , , , kind]) => ({ kind, index })), ...history];
  const notes = calls.slice(calls.findLastIndex(({ kind }) => kind !== "think") + 1);
  return { count: notes.length, exactCount: notes.length, evidence: notes.map(({ index }) => index) };
}
