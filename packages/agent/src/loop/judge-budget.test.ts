import { expect, test } from "vitest";
import { type JudgeSpending, judgeRefusal, type PlannedJudgement } from "./judge-budget.ts";

/** About an answer of a run without subagents, unless told otherwise. A judgement usually costs 10. */
function refusal(planned: Partial<PlannedJudgement>, spent: Partial<JudgeSpending>): string | undefined {
  const { run = 0, judge = 0 } = spent;
  return judgeRefusal(
    { share: 0.2, isAnswer: true, ...planned },
    { usual: 10, run, judge, tree: run, judgeOfTree: judge, ...spent },
  );
}

const usedUp = expect.stringMatching(/used its share of the run's cost, 20 %.*agent\.judge\.max_cost_share/);
const between = { isAnswer: false };

test.each<[string, Partial<PlannedJudgement>, Partial<JudgeSpending>, unknown]>([
  ["between answers, within the share", between, { run: 1_500, judge: 290 }, undefined],
  ["between answers, above the share", between, { run: 1_500, judge: 311 }, usedUp],
  ["between answers of a short run", between, { run: 14, judge: 10 }, undefined],
  ["between answers of a short run, the third time", between, { run: 24, judge: 20 }, usedUp],
  ["of the first answer", {}, { run: 1 }, undefined],
  ["of the fourth answer of a short run", {}, { run: 34, judge: 30 }, undefined],
  ["of the sixth answer of a short run", {}, { run: 54, judge: 50 }, usedUp],
  ["of the first answers, after the share was used between answers", {}, { run: 100, judge: 40 }, undefined],
  ["of the fifth answer of a long run", {}, { run: 990, judge: 190 }, undefined],
  [
    "of a node's first answers, after other nodes used the share",
    {},
    { run: 30, tree: 90, judgeOfTree: 60 },
    undefined,
  ],
  ["of a node, as long as the whole plan is within the share", {}, { run: 50, judge: 50, tree: 990 }, undefined],
  [
    "between answers of a node, after others used the share",
    between,
    { run: 20, judge: 20, tree: 100, judgeOfTree: 30 },
    usedUp,
  ],
  ["with a share of everything", { share: 1, ...between }, { run: 50, judge: 50 }, undefined],
  ["with a share of nothing", { share: 0 }, { run: 9 }, expect.stringContaining("agent.judge.max_cost_share is 0")],
])("a judgement %s", (_name, planned, spent, expected) => {
  expect(refusal(planned, spent)).toEqual(expected);
});
