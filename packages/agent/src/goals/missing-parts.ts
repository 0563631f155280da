import { asSentence } from "../protocol/as-sentence.ts";
import type { Goal, GoalEvaluation } from "../protocol/goal.ts";
import { isReached, type Results, violations } from "./score.ts";

/** What is still missing for the goal, one line each, with why if that is known. Empty when nothing is. */
export function missingParts(goal: Goal, results: Results): readonly string[] {
  const violated = violations(results).map(({ text, reason }) => line(`respect this: ${text}`, reason));
  const hasEnough = isReached(goal, { ...results, constraints: [] });
  const unmet = hasEnough ? [] : results.criteria.filter(({ isMet }) => isMet === false);
  return [...unmet.map(({ text, reason }) => line(text, reason)), ...violated];
}

/** What an accepted answer lacks: a `should`, or criteria that the threshold leaves open. */
export function openParts({ criteria, constraints }: GoalEvaluation): readonly string[] {
  const unmet = criteria.filter(({ isMet }) => isMet === false);
  const violated = constraints.filter(({ isRespected }) => isRespected === false);
  return [
    ...unmet.map(({ text }) => asSentence(`Not met: ${text}`)),
    ...violated.map(({ text }) => asSentence(`Not respected: ${text}`)),
  ];
}

function line(text: string, reason: string | undefined): string {
  const separator = reason?.includes("\n") ? "\n" : " ";
  return reason === undefined ? `- ${text}` : `- ${text}${separator}(${reason})`;
}
