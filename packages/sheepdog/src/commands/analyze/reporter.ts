import type { Analysis, Analyzed } from "@sheepdog/records";

/** A run with its report. */
export type AnalyzedRun = Extract<Analyzed, { readonly type: "run" }>;

/** One way to print what was found, told each run as it comes and the sums at the end. */
export interface Reporter {
  run(analyzed: AnalyzedRun): Promise<void>;
  end(analysis: Analysis): Promise<void>;
}
