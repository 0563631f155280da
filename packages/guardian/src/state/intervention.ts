import type { DetectorName } from "../policy/detector-rungs.ts";
import type { LimitName } from "../policy/limit.ts";
import type { Level } from "../policy/rungs.ts";
import type { Finding } from "./finding.ts";

/** What the caller must do. `interrupt` ends the stream, keeps the part that is new, and the run continues. */
export type Effect = "tell" | "interrupt" | "deny" | "stop";

/** The guardian's reaction to a finding or a limit. */
export interface Intervention {
  /** `<episode>/<level>`. Unique, so that a message is sent once. */
  readonly id: string;
  readonly detector: DetectorName | LimitName;
  readonly level: Level;
  readonly effect: Effect;
  /** 0-based index of the last finished call at the time of the decision; -1 before the first. */
  readonly call: number;
  /** Indexes of the calls that show it, oldest first. */
  readonly evidence: readonly number[];
  /** The weight of the evidence, which is compared with the rungs: an equal call counts 1, a similar one less. */
  readonly count: number;
  /** The number of calls behind `count`, where that is another number. */
  readonly times?: number;
  readonly tool?: string;
  /** The call or the subagent that is refused; absent when the whole episode is meant. */
  readonly denies?: { readonly callId: string };
  /** With `interrupt`: characters at the end of the stream that are mere repetition. */
  readonly surplus?: number;
  /** For the user only: the agent cannot do anything about it. */
  readonly isForUser?: true;
  /** A limit of money cannot be checked, because a price is unknown. */
  readonly isUnpriced?: true;
  /** What the next request is estimated at, in the unit of the limit, which it does not fit under any more. */
  readonly needed?: number;
  readonly message: string;
  /**
   * What to ask the user about before it takes effect: in an attended run, when a detector blocks or ends it, or a
   * limit of turns or time does. The answer "continue" is a `mute` of the episode, or a higher `limit`.
   */
  readonly question?: string;
  /** The cost of the loop so far, if known. */
  readonly costNanoUsd?: number;
  /** False in `observe` mode and for a muted episode, where the intervention has no effect. */
  readonly isApplied: boolean;
}

/** The id of the episode that an intervention belongs to, from its id. A limit has a new one each time. */
export function episodeOf(interventionId: string): string {
  return interventionId.split("/")[0] ?? interventionId;
}

/** An intervention about a finding. */
export function createIntervention(
  { detector, evidence, count, times, tool, surplus, isForUser }: Finding,
  rest: Omit<Intervention, "detector" | "evidence" | "count" | "times" | "tool" | "surplus" | "isForUser">,
): Intervention {
  return {
    detector,
    evidence,
    count,
    ...(times === undefined || times === Math.round(count) ? {} : { times }),
    ...(tool === "" ? {} : { tool }),
    ...(surplus === undefined ? {} : { surplus }),
    ...(isForUser === undefined ? {} : { isForUser }),
    ...rest,
  };
}

/**
 * Makes the message of an intervention; callers can pass their own.
 * It must not throw where `step` is used alone, and must not call the guardian, which is processing a signal.
 */
export type Words = (finding: Finding, level: Level, facts: Facts) => string;

/** What a message may mention besides the finding. */
export interface Facts {
  /** The cost of the loop so far, if known. */
  readonly costNanoUsd?: number;
  /** How often calls of this episode were refused. */
  readonly denials: number;
  /** There was no intervention about it before. */
  readonly isFirst: boolean;
  /** The advice of a second opinion that found the agent stuck; from a model, so it is quoted. */
  readonly secondOpinion?: string | undefined;
}
