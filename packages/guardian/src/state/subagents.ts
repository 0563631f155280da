import { hashText, hashWord } from "../perceive/hash.ts";

/** The usage of one subagent, while it runs and after. */
export interface SubagentUsage {
  /** A hash of its id. */
  readonly id: string;
  readonly isOver?: true;
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** Totals over the subagents of this run. */
export interface SubagentTotals {
  readonly started: number;
  /** The newest starts: session time in milliseconds, and depth below the run. */
  readonly starts: readonly (readonly [atMs: number, depth: number])[];
  /** Subagents in a row that ended with findings of their own. */
  readonly stuck: number;
  /** The price of some of their usage is unknown. */
  readonly isUnpriced: boolean;
  /** The usage of subagents that are no longer in the list. */
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** The totals before the first subagent. */
export const noSubagents: SubagentTotals = {
  started: 0,
  starts: [],
  stuck: 0,
  isUnpriced: false,
  tokens: 0,
  costNanoUsd: 0,
};

/** The hash under which a subagent is stored. */
export function subagentKey(id: string): string {
  return `${hashText(hashWord(id))}.${id.length}`;
}
