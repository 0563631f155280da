import type { Policy } from "@sheepdog/guardian";
import type { RecordedRun } from "@sheepdog/records";
import { maskedRecording } from "../../../recordings/masked-recording.ts";
import { readRecordingFile } from "../../../recordings/read-recording-file.ts";
import { type RunFacts, runFacts } from "./run-facts.ts";

/** Work for the analysis: one run, or runs of a file by their lines. */
export type AnalysisTask =
  | { readonly type: "run"; readonly run: RecordedRun; readonly policy: Policy }
  | { readonly type: "file"; readonly file: string; readonly lines: readonly number[]; readonly policy: Policy };

/** The facts about a run. `line` is 0 for a task of one run. */
export interface AnalyzedLine {
  readonly line: number;
  readonly facts: RunFacts;
}

/** Performs a task. A run that cannot be analyzed is left out. */
export async function* performTask(task: AnalysisTask): AsyncGenerator<AnalyzedLine> {
  if (task.type === "run") {
    const facts = factsOrNothing(task.run, task.policy);
    if (facts !== undefined) yield { line: 0, facts };
    return;
  }
  const wanted = new Set(task.lines);
  for await (const item of readRecordingFile(task.file)) {
    if (item.type !== "run" || !wanted.delete(item.line)) continue;
    const facts = factsOrNothing(maskedRecording(item.run), task.policy);
    if (facts !== undefined) yield { line: item.line, facts };
    if (wanted.size === 0) return;
  }
}

function factsOrNothing(run: RecordedRun, policy: Policy): RunFacts | undefined {
  try {
    return runFacts(run, policy);
  } catch {
    return undefined; // no recording, however odd, may stop the analysis of the others
  }
}
