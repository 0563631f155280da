import { expect, test } from "vitest";
import { noUsage } from "../protocol/usage.ts";
import { type JudgeSpending, judgeRefusal, type PlannedJudgement } from "./judge-budget.ts";

const CENT = 10_000_000;

function refusal(
  planned: Partial<PlannedJudgement>,
  cents: { run: number | null; judge: number | null; limit?: number },
) {
  const spent = (amount: number | null) => ({
    usage: { ...noUsage, input: 1_000 * (amount ?? 50) },
    costNanoUsd: amount === null ? null : amount * CENT,
  });
  const spending: JudgeSpending = {
    run: spent(cents.run),
    judge: spent(cents.judge),
    costLimit: (cents.limit ?? 0) * CENT,
    tokenLimit: 0,
  };
  return judgeRefusal(
    {
      share: 0.2,
      isAnswer: true,
      hasJudgedAnswer: true,
      isSubagent: false,
      usualNanoUsd: CENT,
      usualTokens: 2_000,
      ...planned,
    },
    spending,
  );
}

const usedUp = expect.stringMatching(/used its share of the run's cost, 20 %.*agent\.judge\.max_cost_share/);

test.each<[string, Partial<PlannedJudgement>, { run: number | null; judge: number | null; limit?: number }, unknown]>([
  ["within the share", {}, { run: 100, judge: 19 }, undefined],
  ["above the share", {}, { run: 100, judge: 19.3 }, usedUp],
  ["at the beginning, with a few cents for everyone", {}, { run: 1, judge: 1 }, undefined],
  ["after those cents", {}, { run: 3, judge: 2.5 }, usedUp],
  ["with a part of a limit in place of the cents", {}, { run: 1, judge: 0.5, limit: 200 }, undefined],
  ["with a low limit", {}, { run: 1, judge: 0.5, limit: 10 }, usedUp],
  ["in a subagent, which has no such cents", { isSubagent: true }, { run: 1, judge: 1 }, usedUp],
  ["for the first answer, always", { hasJudgedAnswer: false }, { run: 1, judge: 90 }, undefined],
  ["before an answer, not always", { hasJudgedAnswer: false, isAnswer: false }, { run: 1, judge: 90 }, usedUp],
  ["without a price, by tokens", { usualNanoUsd: null }, { run: null, judge: 5 }, undefined],
  ["without a price, above the share", { usualNanoUsd: null }, { run: null, judge: 19 }, usedUp],
  ["with a share of everything", { share: 1 }, { run: 50, judge: 50 }, undefined],
  [
    "with a share of nothing",
    { share: 0, hasJudgedAnswer: false },
    { run: 9, judge: 0 },
    expect.stringContaining("agent.judge.max_cost_share is 0"),
  ],
])("a judgement %s", (_name, planned, cents, expected) => {
  expect(refusal(planned, cents)).toEqual(expected);
});
