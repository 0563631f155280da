import { createWorkThread, type ThreadProgram } from "../../../look-back/threads/work-thread.ts";
import { type AnalysisTask, type AnalyzedLine, performTask } from "./analysis-task.ts";

/** Performs tasks of the analysis, in another thread where possible. Never rejects; what fails has no lines. */
export interface Analyzer {
  perform(task: AnalysisTask, onLine: (analyzed: AnalyzedLine) => void): Promise<void>;
}

/** Creates an analyzer. */
export function createAnalyzer(program: () => Promise<ThreadProgram | undefined> = analysisProgram): Analyzer {
  const thread = createWorkThread({ program, performHere: performTask });
  return {
    async perform(task, onLine) {
      await thread.perform(task, onLine);
    },
  };
}

async function analysisProgram(): Promise<ThreadProgram | undefined> {
  return (await import("./analysis-worker.ts")).analysisProgram;
}
