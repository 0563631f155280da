import { defaultPolicy } from "@sheepdog/guardian";
import type { RecordedRun } from "@sheepdog/records";
import { expect, test } from "vitest";
import type { AnalysisTask, AnalyzedLine } from "../findings/analysis-task.ts";
import { createRunJudge, MAX_JUDGED_CALLS } from "./run-judge.ts";

const call = { name: "bash", args: {}, result: "", isError: null };
const runOf = (turns: number, calls: number): RecordedRun => ({
  id: "r",
  steps: Array.from({ length: turns }, (_, turn) => ({ turn, text: "", calls: Array(calls).fill(call) })),
});

/** A judge with a thread that answers with these lines, and the tasks that the thread has got. */
function judgeWith(...lines: AnalyzedLine[]) {
  const tasks: AnalysisTask[] = [];
  const judge = createRunJudge({
    async perform(task, onLine) {
      tasks.push(task);
      for (const line of lines) onLine(line);
    },
  });
  return { judge, tasks };
}

test("a run is judged by the thread once, however many requests ask for it", async () => {
  const { judge, tasks } = judgeWith({ line: 0, judgement: { interventions: [], points: [] } });
  const asked = { run: runOf(2, 1), policy: defaultPolicy };
  await Promise.all([judge.judge("interventions", asked), judge.judge("interventions", asked)]);
  await judge.judge("interventions", asked);
  expect(tasks).toEqual([{ type: "interventions", run: asked.run, policy: defaultPolicy }]);
  await judge.judge("points", asked);
  await judge.judge("points", { ...asked, run: runOf(3, 1) });
  expect(tasks.map(({ type }) => type)).toEqual(["interventions", "points", "points"]);
});

test("of a very long run, the first calls are judged", async () => {
  const { judge, tasks } = judgeWith();
  const judged = async (run: RecordedRun) => {
    await judge.judge("points", { run, policy: defaultPolicy });
    const task = tasks.at(-1);
    const { steps } = task?.type === "points" ? task.run : runOf(0, 0);
    return [steps.length, steps.reduce((sum, { calls }) => sum + calls.length, 0)];
  };
  expect(await judged(runOf(MAX_JUDGED_CALLS, 1))).toEqual([MAX_JUDGED_CALLS, MAX_JUDGED_CALLS]);
  expect(await judged(runOf(MAX_JUDGED_CALLS + 9, 1))).toEqual([MAX_JUDGED_CALLS, MAX_JUDGED_CALLS]);
  expect(await judged(runOf(3, MAX_JUDGED_CALLS - 1))).toEqual([2, MAX_JUDGED_CALLS]);
});

test("a run that the thread cannot judge has no result, and is tried again", async () => {
  const { judge, tasks } = judgeWith();
  const asked = { run: runOf(1, 1), policy: defaultPolicy };
  expect([await judge.judge("points", asked), await judge.judge("points", asked)]).toEqual([[], []]);
  expect(tasks).toHaveLength(2);
});
