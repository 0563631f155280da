import type { DetectorName, Level, LimitName, Verdict } from "@sheepdog/guardian";
import type { Skipped } from "../readers/read-item.ts";

/** An intervention as `analyze` reports it. Call indexes are 0-based over all calls of the run. */
export interface ReportedIntervention {
  /** The last finished call when the guardian decided; -1 before the first. */
  readonly call: number;
  readonly turn: number;
  readonly detector: DetectorName | LimitName;
  readonly level: Level;
  readonly message: string;
  /** Indexes of the calls that led to the intervention. */
  readonly evidence: readonly number[];
}

/** A question for a second opinion as `analyze` reports it, with its answer. */
export interface ReportedOpinion {
  readonly id: string;
  /** The last finished call when the guardian asked. */
  readonly call: number;
  readonly turn: number;
  readonly detector: DetectorName;
  /** The level that waits for the answer. */
  readonly level: Level;
  /** null without an answer: the rules decide. */
  readonly verdict: Verdict | null;
  readonly advice: string | null;
}

/** From the first repeat without progress to the last; `calls` counts the repeats of all episodes. */
export interface StuckStretch {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly costUsd: number | null;
}

/** The guardian's findings in one run. */
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
  /** The questions in the order of the run; absent if second opinions are off. */
  readonly opinions?: readonly ReportedOpinion[];
}

/** The number of questions by their answer. */
export type OpinionCounts = Readonly<Record<Verdict | "unanswered", number>>;

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
  /** Absent if second opinions are off. */
  readonly opinions?: OpinionCounts;
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
