import type { Level } from "@sheepdog/guardian";
import type { CostShare, CountingNotes, ModelUsage, RecordedPosition, RunReport, SharesOf } from "@sheepdog/records";
import type { Sentence } from "@sheepdog/web/contract";
import type { AnalyzedRun } from "./analyzed-run.ts";
import type { CallRange } from "./call-ranges.ts";

/**
 * All that a look back keeps of a run: plain JSON without secrets, small enough for thousands of runs. Reports are made
 * from these alone, and a cache stores them.
 */
export interface LookBackRun extends AnalyzedRun {
  /** The id in the recording. `id` is the one that `sheepdog show` takes. */
  readonly recordedId: string;
  readonly file: string;
  readonly line: number;
  readonly model: string | null;
  /** The folder in which the agent worked. `project` is its last part. */
  readonly folder: string | null;
  readonly task: string | null;
  readonly outcome: string | null;
  /** The recorded id of the run that started this subagent. */
  readonly parent: string | null;
  /** Present when these are the parts of a subagent's run that its parent's recording repeats. */
  readonly isExcerpt?: true;
  /** Present when hooks made the recording: the agent's own one of the same session is preferred. */
  readonly isOfHooks?: true;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly report: RunReport;
  /** All interventions about one cause, in the order of the run. Limits have none. */
  readonly episodes: readonly EpisodeFacts[];
  /** Where limits of the policy would have warned and stopped, in the order of the run. */
  readonly limits: readonly LimitFacts[];
  /** Present when the policy only observes: then only limits would have ended the run. */
  readonly isObserveOnly?: true;
  /** The calls that failed. */
  readonly failedCalls: readonly CallRange[];
  readonly usage: readonly ModelUsage[];
  /** The parts of tools, models and hours; each list adds up to the run. */
  readonly shares: Readonly<Record<SharesOf, readonly CostShare[]>>;
  readonly counting: CountingNotes;
}

/** How the agent went in circles once. Call indexes are 0-based over all calls of the run. */
export interface EpisodeFacts {
  readonly detector: string;
  readonly tool: string | null;
  /** What repeated and how often: "`npm test` failed 11 times the same way". */
  readonly sentence: Sentence;
  readonly times: number;
  /** The calls that repeat an earlier one. */
  readonly repeats: number;
  readonly repeatedCalls: readonly CallRange[];
  /** The cost of the repeats, without their subagents; null when no cost is known. */
  readonly costUsd: number | null;
  /** Calls of the subagents that the repeats started; set once all runs are known; `costUsd` then counts them. */
  readonly subagentCalls?: number;
  /** The recorded ids of the subagents that the repeats started. */
  readonly children: readonly string[];
  /** From the first of its calls to the last, when the recording has times. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The time at work between them, without long pauses. */
  readonly activeMs: number | null;
  /** What the policy would have done, one for each level, in this order. */
  readonly interventions: readonly RepeatIntervention[];
  /** The first calls and the last ones, to be compared. */
  readonly evidence: readonly EvidenceCall[];
}

/** A hint, a warning, a refusal or an end. What comes after a refusal or an end is hypothetical. */
export interface EpisodeIntervention {
  readonly level: Level;
  /** The last finished call when the guardian decided. */
  readonly call: number;
  readonly turn: number;
  readonly at: number | null;
  readonly message: string;
  /** What was spent and called afterwards, without subagents: an end would have saved this. */
  readonly remaining: { readonly calls: number; readonly costUsd: number | null };
}

/** An intervention about a repetition. */
interface RepeatIntervention extends EpisodeIntervention {
  /** What had repeated by then, and how often: the episode may continue. */
  readonly sentence: Sentence;
}

/** The same for a limit: `run-cost`, `turns`, … */
export interface LimitFacts extends EpisodeIntervention {
  readonly limit: string;
}

/** A call as evidence: its texts are clipped, and keep the lines in which calls differ. */
export interface EvidenceCall {
  readonly call: number;
  readonly turn: number;
  readonly at: number | null;
  readonly name: string;
  readonly args: string;
  readonly result: string;
  readonly isError: boolean;
  readonly position: RecordedPosition | null;
  /** Calls of the episode after it that are equal to it and have no evidence of their own. */
  readonly sameCalls?: readonly CallRange[];
  /** The number of other calls of the same tool after it that have no evidence. */
  readonly otherCalls?: number;
}
