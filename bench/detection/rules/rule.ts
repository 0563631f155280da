import type { FlatRun } from "../flat-run.ts";

/** Another system's loop detection: a pure function from a run to the call of its first reaction. */
export interface Rule {
  readonly name: string;
  readonly firstReaction: (run: FlatRun) => number | undefined;
  /** The same rule at other thresholds, if its users can set one. */
  readonly tuned?: readonly {
    readonly threshold: number;
    readonly firstReaction: (run: FlatRun) => number | undefined;
  }[];
}
