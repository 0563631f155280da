import type { RunSpending } from "../costs/ledger-spending.ts";
import { tokensOf } from "../protocol/usage.ts";

/** Part of a limit of the run, so that a judgement is possible before much is spent; multiplied by the share. */
const FLOOR_OF_LIMIT = 1 / 10;
/** The same without a limit: at the default share three cents, or 20,000 tokens for models without a price. */
const FLOOR_NANO_USD = 150_000_000;
const FLOOR_TOKENS = 100_000;

/** A judgement that may be made. */
export interface PlannedJudgement {
  /** The setting `judgeMaxCostShare`. */
  readonly share: number;
  /** The agent has answered. */
  readonly isAnswer: boolean;
  /** The model has judged an answer of this run before. */
  readonly hasJudgedAnswer: boolean;
  /** A subagent has no floor of its own: many of them would add up. */
  readonly isSubagent: boolean;
  /** What it usually costs; null when the price is unknown. */
  readonly usualNanoUsd: number | null;
  readonly usualTokens: number;
}

/** What the run has spent so far, of that on the judge, and its limits; 0 if there is none. */
export interface JudgeSpending {
  readonly run: RunSpending;
  readonly judge: RunSpending;
  readonly costLimit: number;
  readonly tokenLimit: number;
}

/** Why the model is not asked; undefined when it may be asked. The first judgement of an answer always may. */
export function judgeRefusal(planned: PlannedJudgement, spending: JudgeSpending): string | undefined {
  const { share, isAnswer, hasJudgedAnswer } = planned;
  const key = "agent.judge.max_cost_share";
  if (share === 0) return `The goal needs a model to judge it, and ${key} is 0.`;
  if (isAnswer && !hasJudgedAnswer) return undefined;
  if (isWithinShare(planned, spending)) return undefined;
  return `The judge has used its share of the run's cost, ${Math.round(share * 100)} %. Raise ${key} for more.`;
}

function isWithinShare(planned: PlannedJudgement, spending: JudgeSpending): boolean {
  const { share, isSubagent, usualNanoUsd, usualTokens } = planned;
  const { run, judge, costLimit, tokenLimit } = spending;
  const isPriced = usualNanoUsd !== null && run.costNanoUsd !== null && judge.costNanoUsd !== null;
  const [usual, ofRun, ofJudge, floor] = isPriced
    ? [usualNanoUsd, run.costNanoUsd, judge.costNanoUsd, costLimit > 0 ? costLimit * FLOOR_OF_LIMIT : FLOOR_NANO_USD]
    : [
        usualTokens,
        tokensOf(run.usage),
        tokensOf(judge.usage),
        tokenLimit > 0 ? tokenLimit * FLOOR_OF_LIMIT : FLOOR_TOKENS,
      ];
  return ofJudge + usual <= share * Math.max(ofRun + usual, isSubagent ? 0 : floor);
}
