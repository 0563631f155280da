import type { Message } from "../protocol/messages.ts";
import { type Goal, isMet } from "./goal.ts";

/** What a judge says of a run: done, not yet (with what is missing), a person has to see to it, or go on. */
export type Verdict =
  | { readonly type: "accept" }
  | { readonly type: "retry"; readonly hint: string }
  | { readonly type: "escalate"; readonly reason: string }
  | { readonly type: "continue" };

/** What a judge looks at. */
export interface JudgeInput {
  readonly goal: Goal;
  /** What the agent said last. */
  readonly output: string;
  /** It has made no calls: it takes itself to be done. */
  readonly isAnswer: boolean;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
}

/** Holds a run against its goal at the end of each turn. */
export interface Judge {
  evaluate(trial: JudgeInput): Promise<Verdict>;
}

/** How often a run is told what its answer lacks. */
const MOST_HINTS = 3;

/** Judges by the criteria alone. A goal without any is met by an answer; one that is missed again after all hints is for a person to see to. */
export const criteriaJudge: Judge = {
  async evaluate({ goal: { criteria = [] }, output, isAnswer, messages }) {
    const missed = criteria.filter((criterion) => !isMet(criterion, output));
    if (missed.length === 0 && (isAnswer || criteria.length > 0)) return { type: "accept" };
    if (!isAnswer) return { type: "continue" };
    const wanted = missed.map(
      ({ type, text }) => `${type === "OutputEquals" ? "be exactly" : "contain"} ${JSON.stringify(text)}`,
    );
    if (hintsIn(messages) >= MOST_HINTS)
      return {
        type: "escalate",
        reason: `After ${MOST_HINTS} hints the answer still does not do what it has to: ${wanted.join(" and ")}.`,
      };
    return { type: "retry", hint: `The answer has to ${wanted.join(" and ")}.` };
  },
};

/** What this judge has said since the run was asked to do something, or to go on. */
function hintsIn(messages: readonly Message[]): number {
  const begin = messages.findLastIndex(
    (message) => message.role === "user" && message.origin !== "guardian" && message.reason === undefined,
  );
  return messages.slice(begin + 1).filter((message) => message.role === "user" && message.reason === "judge").length;
}
