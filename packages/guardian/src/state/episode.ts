import type { Sketch } from "../perceive/print.ts";
import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Level } from "../policy/rungs.ts";
import type { Advice, SimilarCalls } from "./finding.ts";
import type { Opinions } from "./opinion.ts";

/** All interventions about one cause, from the first until the run recovered or ended. */
export interface Episode {
  readonly id: string;
  readonly cause: string;
  readonly detector: DetectorName;
  /** Index of the first call that belongs to it; -1 when it is about no call. */
  readonly firstCall: number;
  /** Indexes of its newest calls. */
  readonly calls: readonly number[];
  readonly count: number;
  /** The highest level so far; undefined before the first intervention. */
  readonly level: Level | undefined;
  /** The turn of the newest intervention, and of the newest finding. */
  readonly lastNoticeTurn: number;
  readonly lastFindingTurn: number;
  readonly tool: string;
  readonly words: Sketch;
  readonly blocks: readonly Block[];
  /** Calls like these are refused as well, until another call has succeeded. */
  readonly similarCalls?: SimilarCalls | undefined;
  /** A call unlike `similarCalls` has succeeded since the newest finding. */
  readonly hasOtherSuccess?: true | undefined;
  /** Its interventions were made in `observe` mode, so they had no effect. */
  readonly isObserveOnly?: true;
  /** A user said that it is fine: its further interventions are recorded, and not applied. */
  readonly isMuted?: true;
  /** A user has lifted its mute. */
  readonly isUnmuted?: true;
  /** What its calls counted that no longer count elsewhere because it is or was muted. */
  readonly mutedCount?: number;
  /** Refused attempts. */
  readonly denials: number;
  /** The turn of the newest refusal of pending calls: those of one turn count once. */
  readonly lastDenialTurn?: number;
  /** Novel calls since the newest finding; 5 of them close the episode. */
  readonly novelCalls: number;
  readonly isClosed: boolean;
  /** Second opinions about it; absent before the first request. */
  readonly opinions?: Opinions | undefined;
  /** The cost of the run at the first of its calls. */
  readonly costAtStartNanoUsd: number;
}

/** A call that is refused, and why. */
export interface Block {
  readonly print: string;
  readonly detector: DetectorName;
  readonly count: number;
  readonly exactCount?: number | undefined;
  /** How many calls were counted, and the number of their tools if there are several. */
  readonly times?: number | undefined;
  readonly toolCount?: number | undefined;
  readonly advice: Advice;
}
