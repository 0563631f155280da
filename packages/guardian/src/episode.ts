import type { Advice } from "./judge/finding.ts";
import type { Sketch } from "./perceive/print.ts";
import type { DetectorName, Level } from "./policy.ts";

/** All interventions about one cause, from the first until the run recovered or ended. */
export interface Episode {
  readonly id: string;
  readonly cause: string;
  readonly detector: DetectorName;
  /** Index of the first call that belongs to it, and of the newest ones. */
  readonly since: number;
  readonly calls: readonly number[];
  readonly count: number;
  /** The highest level said so far, the turn it was said in, and the turn of the newest finding. */
  readonly level: Level | undefined;
  readonly lastNoticeTurn: number;
  readonly lastFindingTurn: number;
  readonly tool: string;
  readonly words: Sketch;
  /** The calls that are refused, each with what is known of it. */
  readonly blocks: readonly Block[];
  /** Said in `observe` only: nobody has heard it. */
  readonly isObserveOnly?: true;
  readonly denials: number;
  /** The turn of the newest refusal of something planned: those of one turn count once. */
  readonly deniedInTurn?: number;
  /** Novel calls since the newest evidence; 5 of them close the episode. */
  readonly novelCalls: number;
  readonly isClosed: boolean;
  /** What the run had cost at the first of its calls, in nano-dollars. */
  readonly costAtOnset: number;
}

/** A call that is refused, and why. */
export interface Block {
  readonly print: string;
  readonly detector: DetectorName;
  readonly count: number;
  readonly advice: Advice;
}
