import type { FlatRun } from "../flat-run.ts";

/** What another system does about loops: a pure function from a run to the call of its first reaction. */
export interface Rule {
  readonly name: string;
  readonly firstReaction: (run: FlatRun) => number | undefined;
  /** The same rule at other thresholds, where it has one: what a user of it could tune. */
  readonly tuned?: readonly {
    readonly threshold: number;
    readonly firstReaction: (run: FlatRun) => number | undefined;
  }[];
}
