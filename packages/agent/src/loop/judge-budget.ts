/** Judgements that a run may have beyond the share, so that a short run can be judged. */
const FIRST_JUDGEMENTS = 4;
/** As many of them may be made between answers: the others are left for a refused answer and the one after it. */
const FIRST_BETWEEN_ANSWERS = 2;

/** Money or tokens of a run and its judge: nano-dollars, or tokens if a price is unknown. */
export interface JudgeSpending {
  /** What one judgement usually uses. */
  readonly usual: number;
  /** What the run has used, and of that its judge. */
  readonly run: number;
  readonly judge: number;
  /** The same of the run, the runs above it and all their subagents together. */
  readonly tree: number;
  readonly judgeOfTree: number;
}

/** A judgement that may be made. */
export interface PlannedJudgement {
  /** The setting `judgeMaxCostShare`. */
  readonly share: number;
  /** The agent has answered. */
  readonly isAnswer: boolean;
}

/** Why the model is not asked; undefined when it may be asked. */
export function judgeRefusal(planned: PlannedJudgement, spending: JudgeSpending): string | undefined {
  const { share } = planned;
  const key = "agent.judge.max_cost_share";
  if (share === 0) return `The goal needs a model to judge it, and ${key} is 0.`;
  if (isWithinShare(share, spending) || isAmongFirst(planned, spending)) return undefined;
  return `The judge has used its share of the run's cost, ${Math.round(share * 100)} %. Raise ${key} for more.`;
}

function isWithinShare(share: number, { usual, tree, judgeOfTree }: JudgeSpending): boolean {
  return judgeOfTree + usual <= share * (tree + usual);
}

function isAmongFirst({ share, isAnswer }: PlannedJudgement, { usual, run, judge }: JudgeSpending): boolean {
  const first = isAnswer ? FIRST_JUDGEMENTS : FIRST_BETWEEN_ANSWERS;
  return judge + usual <= share * run + first * usual;
}
