import type { Goal, Verdict } from "../protocol/goal.ts";
import type { Message } from "../protocol/messages.ts";
import { isMet } from "./goal-criteria.ts";

/** What a judge evaluates. */
export interface JudgeInput {
  readonly goal: Goal;
  /** The text of the newest reply. */
  readonly output: string;
  /** The reply makes no calls: the agent considers itself done. */
  readonly isAnswer: boolean;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
}

/** Compares a run with its goal at the end of each turn. */
export interface Judge {
  evaluate(input: JudgeInput): Promise<Verdict>;
}

const MAX_HINTS = 3;

/**
 * Judges by the criteria alone. A goal without criteria is reached by any answer; a goal still missed after all hints
 * is escalated to the user.
 */
export const criteriaJudge: Judge = {
  async evaluate({ goal: { criteria = [] }, output, isAnswer, messages }) {
    const missed = criteria.filter((criterion) => !isMet(criterion, output));
    if (missed.length === 0 && (isAnswer || criteria.length > 0)) return { type: "accept" };
    if (!isAnswer) return { type: "continue" };
    const requirements = missed
      .map(
        (each) =>
          `${each.type === "OutputEquals" ? "be exactly" : "contain"} ${JSON.stringify("text" in each ? each.text : "")}`,
      )
      .join(" and ");
    if (countHints(messages) >= MAX_HINTS)
      return { type: "escalate", reason: `After ${MAX_HINTS} hints the answer still does not ${requirements}.` };
    return { type: "retry", hint: `The answer has to ${requirements}.` };
  },
};

/** Hints of the judge since the last prompt. */
function countHints(messages: readonly Message[]): number {
  const promptIndex = messages.findLastIndex(
    (message) => message.role === "user" && message.origin !== "guardian" && message.reason === undefined,
  );
  return messages.slice(promptIndex + 1).filter((message) => message.role === "user" && message.reason === "judge")
    .length;
}
