import type { RunFacts } from "./run-facts.ts";

/** A run of Sheepdog or a recording with what the analysis found. */
export interface AnalyzedRun {
  readonly id: string;
  readonly source: string;
  readonly project: string | null;
  /** When it ended; undefined if the recording does not say. */
  readonly at: number | undefined;
  /** It was completed, or its goal was accepted. */
  readonly isGood: boolean;
  readonly facts: RunFacts;
}
