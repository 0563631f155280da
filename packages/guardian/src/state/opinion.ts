import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Level } from "../policy/rungs.ts";
import type { Verdict } from "../signal.ts";
import type { Finding } from "./finding.ts";

/**
 * A request for a second opinion. A caller that has the contents of the calls answers it with an `opinion` signal.
 * Without an answer the rules decide.
 */
export interface OpinionRequest {
  /** `<episode>/ask/<number>`. */
  readonly id: string;
  readonly detector: DetectorName;
  /** The level that waits for the answer. */
  readonly level: Level;
  /** 0-based index of the last finished call; -1 before the first. */
  readonly call: number;
  /** Indexes of the calls that it is about, oldest first. */
  readonly evidence: readonly number[];
  readonly count: number;
  readonly tool: string;
  /** What the guardian has noticed. */
  readonly fact: string;
  /** False in `observe` mode, where the answer has no effect. */
  readonly isApplied: boolean;
}

/** The opinions about one episode. */
export interface Opinions {
  /** The number of requests, and the count and the turn at the newest. */
  readonly asked: number;
  readonly askedAtCount?: number;
  readonly askedAtTurn?: number;
  /** The newest request, until it is answered. */
  readonly open?: OpenRequest | undefined;
  /** What the newest request was about: the answer says nothing about other calls. */
  readonly about?: Pick<Finding, "cause" | "tool"> | undefined;
  /** The newest answer, and the advice that came with it. */
  readonly verdict?: Verdict | undefined;
  readonly advice?: string | undefined;
  /** How often the answer was `working`. */
  readonly working: number;
  /** The level about which the rules decide, because the answer was `unsure`. */
  readonly undecided?: Level | undefined;
}

/** A request without an answer, and what is needed to say a hint about it later. */
export interface OpenRequest {
  readonly id: string;
  readonly level: Level;
  readonly turn: number;
  /** The request was made in `observe` mode, where it is not asked. */
  readonly isObserveOnly?: true;
  readonly finding: Omit<Finding, "excerpt" | "words" | "prints" | "similarCalls">;
}

/** The opinions before the first request. */
export const noOpinions: Opinions = { asked: 0, working: 0 };
