import { hashText, hashWord } from "./perceive/hash.ts";

/** What a subagent has used, while it works and after. */
export interface Child {
  /** A hash of its id. */
  readonly id: string;
  readonly isOver?: true;
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** What is remembered of subagents in this run. */
export interface SubagentTotals {
  readonly started: number;
  /** When the newest were started, in milliseconds of the session, and how deep below the run. */
  readonly starts: readonly (readonly [atMs: number, depth: number])[];
  /** Subagents in a row that ended with findings of their own. */
  readonly stuck: number;
  /** Some of what they used has no price. */
  readonly isUnpriced: boolean;
  /** What those that are no longer known by name have used. */
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** No subagent was started yet. */
export const noSubagents: SubagentTotals = {
  started: 0,
  starts: [],
  stuck: 0,
  isUnpriced: false,
  tokens: 0,
  costNanoUsd: 0,
};

/** A hash by which a subagent is known. */
export function childKey(id: string): string {
  return `${hashText(hashWord(id))}.${id.length}`;
}
