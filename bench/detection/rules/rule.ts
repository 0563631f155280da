import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Action, Reaction } from "../reaction.ts";

/** The reactions of a system to a run, in order. What follows a stop is not read. */
export type Reactions = (run: FlatRun) => Iterable<Reaction>;

/** Another system's loop detection, as a pure function of a run. */
export interface Rule {
  readonly name: string;
  readonly reactions: Reactions;
  /** The same rule at other thresholds, if its users can set one. */
  readonly tuned?: readonly { readonly threshold: number; readonly reactions: Reactions }[];
}

/** The rule at each of these thresholds. */
export function tunedTo(
  thresholds: readonly number[],
  reactions: (run: FlatRun, threshold: number) => Iterable<Reaction>,
): NonNullable<Rule["tuned"]> {
  return thresholds.map((threshold) => ({ threshold, reactions: (run) => reactions(run, threshold) }));
}

/** A reaction at a call. */
export function at(call: FlatCall, action: Action): Reaction {
  return { call: call.index, action };
}
