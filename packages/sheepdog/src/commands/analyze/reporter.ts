import type { Analysis, Analyzed } from "@sheepdog/records";

/** A run with its report. */
export type AnalyzedRun = Extract<Analyzed, { readonly type: "run" }>;

/** An output format: receives each run when it is analyzed, and the totals at the end. */
export interface Reporter {
  run(analyzed: AnalyzedRun): Promise<void>;
  end(analysis: Analysis): Promise<void>;
}
