/**
 * What a system does about a run: `hint` tells the model, `block` refuses a call or asks a person first, `stop` ends
 * the run.
 */
export type Action = "hint" | "block" | "stop";

/** One reaction of a system. */
export interface Reaction {
  /** The index of the newest call in the flat sequence of the run. */
  readonly call: number;
  readonly action: Action;
}

/** The reactions up to the first stop: after it there is no run to react to. */
export function untilStop<R extends Reaction>(reactions: Iterable<R>): readonly R[] {
  const taken: R[] = [];
  for (const reaction of reactions) {
    taken.push(reaction);
    if (reaction.action === "stop") break;
  }
  return taken;
}

/** The first reaction, as a list of at most one. A generator is not run any further. */
export function firstOnly(reactions: Iterable<Reaction>): readonly Reaction[] {
  for (const reaction of reactions) return [reaction];
  return [];
}

/** Whether a reaction forces the agent: it refuses a call or ends the run. */
export function isForce({ action }: Reaction): boolean {
  return action !== "hint";
}
