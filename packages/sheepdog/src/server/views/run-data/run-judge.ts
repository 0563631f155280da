import { createHash } from "node:crypto";
import type { Policy } from "@sheepdog/guardian";
import type { RecordedRun } from "@sheepdog/records";
import type { JudgedPart, RunJudgement } from "../findings/analysis-task.ts";
import { type Analyzer, createAnalyzer } from "../findings/analyzer.ts";

/** A run to judge. */
interface JudgedRun {
  readonly run: RecordedRun;
  readonly policy: Policy;
}

/** Says what the guardian would have done in a run. */
export interface RunJudge {
  judge<Part extends JudgedPart>(part: Part, run: JudgedRun): Promise<RunJudgement[Part]>;
}

/** More calls take many seconds: the guardian looks at the first ones. */
export const MAX_JUDGED_CALLS = 20_000;
/** A page asks for the same run several times. */
const MAX_KEPT = 50;

/** Judges runs in another thread, so that a long one keeps no other request waiting, and keeps the newest results. */
export function createRunJudge(analyzer: Analyzer = createAnalyzer()): RunJudge {
  const kept = new Map<string, Promise<Partial<RunJudgement>>>();
  const perform = async (part: JudgedPart, { run, policy }: JudgedRun): Promise<Partial<RunJudgement>> => {
    let judgement: Partial<RunJudgement> = {}; // also if it cannot be judged
    await analyzer.perform({ type: part, run: firstCalls(run), policy }, (analyzed) => {
      if ("judgement" in analyzed) judgement = analyzed.judgement;
    });
    return judgement;
  };
  return {
    async judge(part, judged) {
      const key = digestOf([part, judged]);
      const judgement = kept.get(key) ?? perform(part, judged);
      kept.delete(key);
      kept.set(key, judgement);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      const result = (await judgement)[part];
      if (result === undefined) kept.delete(key); // the thread has ended: it is tried again
      return result ?? [];
    },
  };
}

/** The judge of this process. */
export const runJudge: RunJudge = createRunJudge();

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** A run up to the call that is the last one to be judged. */
function firstCalls(run: RecordedRun): RecordedRun {
  let left = MAX_JUDGED_CALLS;
  const steps = run.steps.map((step) => {
    const calls = step.calls.slice(0, left);
    left -= calls.length;
    return calls.length === step.calls.length ? step : { ...step, calls };
  });
  const end = left > 0 ? steps.length : steps.findLastIndex(({ calls }) => calls.length > 0) + 1;
  return { ...run, steps: steps.slice(0, end) };
}
