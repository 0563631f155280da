import type { Policy } from "@sheepdog/guardian";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { analyze } from "./analyze.ts";
import type { FindOpinion, Question } from "./question.ts";

/**
 * The questions about a run that have no answer yet, in the order of the run. Which later questions are asked depends
 * on the answers to earlier ones, so new ones may follow once these are answered.
 */
export function openQuestions(run: RecordedRun, policy: Policy, findOpinion: FindOpinion): readonly Question[] {
  const open: Question[] = [];
  analyze(run, policy, (question) => {
    const opinion = findOpinion(question);
    if (opinion === undefined) open.push(question);
    return opinion;
  });
  return open;
}
