import type { Goal, GoalEvaluation } from "../protocol/goal.ts";
import type { ConstraintResult } from "./constraint-rules.ts";
import type { CriterionResult } from "./criteria.ts";

/** Sums of weights are not exact: 0.1 + 0.2 is above 0.3. A share of what they are compared with. */
const TOLERANCE = 1e-9;

/** The criteria and constraints of a goal, evaluated. */
export interface Results {
  readonly criteria: readonly CriterionResult[];
  readonly constraints: readonly ConstraintResult[];
}

/** Whether enough criteria are met and no `must` is violated. Undecided ones do not count. */
export function isReached(goal: Goal, results: Results): boolean {
  return meetsThreshold(goal, results.criteria, ({ isMet }) => isMet === true) && violations(results).length === 0;
}

/** Whether the goal can be reached: by what is met, if the model decides for everything that it has to decide. */
export function isReachable(goal: Goal, results: Results): boolean {
  return meetsThreshold(goal, results.criteria, ({ isMet }) => isMet !== false) && violations(results).length === 0;
}

/** The `must` that are violated. */
export function violations({ constraints }: Results): readonly ConstraintResult[] {
  return constraints.filter(({ level, isRespected }) => level === "must" && isRespected === false);
}

/** The results as events show them. `isAccepted`: the score of a goal without criteria. */
export function toEvaluation(goal: Goal, { criteria, constraints }: Results, isAccepted: boolean): GoalEvaluation {
  return {
    score: criteria.length === 0 ? Number(isAccepted) : shareOf(criteria, ({ isMet }) => isMet === true),
    threshold: goal.threshold ?? 1,
    criteria: criteria.map(({ text, isMet, reason }) => ({ text, isMet, ...reasonOf(reason) })),
    constraints: constraints.map(({ text, level, isRespected, reason }) => ({
      ...{ text, level, isRespected },
      ...reasonOf(reason),
    })),
  };
}

function meetsThreshold(
  { threshold = 1 }: Goal,
  criteria: readonly CriterionResult[],
  counts: (criterion: CriterionResult) => boolean,
): boolean {
  if (threshold === 1) return criteria.every(counts);
  return criteria.length === 0 || shareOf(criteria, counts) >= threshold * (1 - TOLERANCE);
}

/** The weighted share of the criteria that count. */
function shareOf(criteria: readonly CriterionResult[], counts: (criterion: CriterionResult) => boolean): number {
  const sum = (list: readonly CriterionResult[]) => list.reduce((total, { weight }) => total + weight, 0);
  const share = sum(criteria.filter(counts)) / sum(criteria);
  return Math.abs(share - 1) < TOLERANCE ? 1 : share;
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}
