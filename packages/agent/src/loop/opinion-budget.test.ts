import { expect, test } from "vitest";
import { opinionRefusal, type PlannedQuestion } from "./opinion-budget.ts";

const CENT = 10_000_000;
const DOLLAR = 100 * CENT;

interface Case {
  readonly spent?: number | null;
  readonly runLimit?: number;
  readonly dayLimit?: number;
  readonly isNear?: boolean;
}

function refusal(question: Partial<PlannedQuestion>, { spent = 0, runLimit = 0, dayLimit = 0, isNear = false }: Case) {
  const guard = { nearBudget: () => isNear, limitOf: () => runLimit, moneyLimits: () => ({ day: dayLimit }) };
  const planned = { usualNanoUsd: CENT, asked: 0, spentNanoUsd: 0, ...question };
  return opinionRefusal(guard, { costNanoUsd: spent }, planned);
}

test.each<readonly [why: string, question: Partial<PlannedQuestion>, run: Case]>([
  ["all questions of a run without a limit may cost three cents", { spentNanoUsd: 2 * CENT }, {}],
  ["all questions together may cost 3 % of the run", { spentNanoUsd: 5 * CENT }, { spent: 2 * DOLLAR }],
  ["or a fiftieth of its limit", { spentNanoUsd: CENT }, { runLimit: DOLLAR }],
  ["without a price, a run may ask three times", { usualNanoUsd: null, asked: 2 }, { spent: null }],
])("%s", (_why, question, run) => {
  expect(refusal(question, run)).toBeUndefined();
});

const tooMuch = "over budget: it would cost too much for this run";
test.each<readonly [why: string, question: Partial<PlannedQuestion>, run: Case]>([
  [tooMuch, { spentNanoUsd: 2 * CENT + 1 }, {}],
  [tooMuch, { spentNanoUsd: 5 * CENT + 1 }, { spent: 2 * DOLLAR }],
  [tooMuch, { spentNanoUsd: CENT + 1 }, { runLimit: DOLLAR }],
  [tooMuch, {}, { runLimit: 49 * CENT }],
  [tooMuch, { isSubagent: true }, {}],
  ["over budget: little is left of the run's budget", { usualNanoUsd: 0 }, { isNear: true }],
  ["over budget: the price of the model is unknown", { usualNanoUsd: null }, { dayLimit: DOLLAR }],
  ["over budget: the price of the model is unknown", { usualNanoUsd: null }, { runLimit: DOLLAR }],
  ["over budget: without a price, a run may ask 3 times", { usualNanoUsd: null, asked: 3 }, { spent: null }],
])("%s", (why, question, run) => {
  expect(refusal(question, run)).toBe(why);
});
