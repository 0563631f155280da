import type { DetectorName, Level, LimitName } from "@sheepdog/guardian";

/** An intervention as `analyze` reports it. Indexes are 0-based over the run's flat sequence of calls. */
export interface ReportedIntervention {
  /** The last finished call when it was decided; -1 before the first. */
  readonly call: number;
  readonly turn: number;
  readonly detector: DetectorName | LimitName;
  readonly level: Level;
  readonly message: string;
  readonly evidence: readonly number[];
}

/** From the first repeat without progress to the last; `calls` is the union over episodes. */
export interface StuckStretch {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly costUsd: number | null;
}

/** What the guardian saw in one run. */
export interface RunReport {
  readonly id: string;
  readonly source: string | null;
  readonly model: string | null;
  readonly calls: number;
  readonly turns: number;
  readonly costUsd: number | null;
  readonly unpricedTokens: number;
  readonly interventions: readonly ReportedIntervention[];
  readonly stuck: StuckStretch | null;
}

/** Sums over all runs. */
export interface Totals {
  readonly runs: number;
  readonly calls: number;
  readonly turns: number;
  readonly costUsd: number | null;
  readonly unpricedTokens: number;
  readonly stuckRuns: number;
  readonly stuckCalls: number;
  readonly stuckCostUsd: number | null;
}

/** Something that could not be read: a line, or a whole file (line 0). */
export interface Skipped {
  readonly file: string;
  readonly line: number;
  readonly why: string;
}

/** The document of `analyze --json`. */
export interface Report {
  readonly schemaVersion: 1;
  readonly runs: readonly RunReport[];
  readonly totals: Totals;
  /** The first hundred; `skippedCount` counts all. */
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
}
