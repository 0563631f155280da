import type { Policy } from "@sheepdog/guardian";
import {
  analyze,
  type EqualCallPoint,
  equalCallTrace,
  type RecordedRun,
  type ReportedIntervention,
  readRecordingFile,
} from "@sheepdog/records";
import { type RunFacts, runFacts } from "../../../look-back/run-facts.ts";
import { maskedRecording } from "../../../recordings/masked-recording.ts";

/** Work for the analysis: one run, or runs of a file by their lines; for a page, what the guardian says about a run. */
export type AnalysisTask =
  | { readonly type: "run"; readonly run: RecordedRun; readonly policy: Policy }
  | { readonly type: JudgedPart; readonly run: RecordedRun; readonly policy: Policy }
  | { readonly type: "file"; readonly file: string; readonly lines: readonly number[]; readonly policy: Policy };

/** What the guardian would have done in a run, and where each number of equal calls would have ended it. */
export interface RunJudgement {
  readonly interventions: readonly ReportedIntervention[];
  readonly points: readonly EqualCallPoint[];
}

/** A part of a judgement, which takes a pass of its own. */
export type JudgedPart = keyof RunJudgement;

/** The facts about a run, or a part of its judgement. `line` is 0 for a task of one run. */
export type AnalyzedLine =
  | { readonly line: number; readonly facts: RunFacts }
  | { readonly line: number; readonly judgement: Partial<RunJudgement> };

/** Performs a task. A run that cannot be analyzed is left out. */
export async function* performTask(task: AnalysisTask): AsyncGenerator<AnalyzedLine> {
  if (task.type === "run") {
    const facts = orNothing(() => runFacts(task.run, task.policy));
    if (facts !== undefined) yield { line: 0, facts };
    return;
  }
  if (task.type !== "file") {
    const judgement = orNothing(() => judge(task.run, task.policy, task.type));
    if (judgement !== undefined) yield { line: 0, judgement };
    return;
  }
  const wanted = new Set(task.lines);
  for await (const item of readRecordingFile(task.file)) {
    if (item.type !== "run" || !wanted.delete(item.line)) continue;
    const facts = orNothing(() => runFacts(maskedRecording(item.run), task.policy));
    if (facts !== undefined) yield { line: item.line, facts };
    if (wanted.size === 0) return;
  }
}

function judge(run: RecordedRun, policy: Policy, part: JudgedPart): Partial<RunJudgement> {
  return part === "points"
    ? { points: equalCallTrace(run, policy).points }
    : { interventions: analyze(run, policy).interventions };
}

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // no recording, however odd, may stop the analysis of the others
  }
}
