import type { Policy } from "../../policy/policy.ts";
import type { Rungs } from "../../policy/rungs.ts";
import type { StopReason } from "../../policy/stop-reason.ts";
import type { SignalOf, SignalType } from "../../signal.ts";
import type { Finding } from "../../state/finding.ts";
import type { GuardianState } from "../../state/guardian-state.ts";
import type { Comparison } from "../comparison.ts";
import type { Count } from "../count-equal.ts";

/** What all detectors have. */
interface NamedDetector<Name extends string> {
  readonly name: Name;
  /** The reason of a run that it ends. */
  readonly reason: StopReason;
  /** No call closes its episodes; a message of a person does. */
  readonly isClosedByNoCall?: true;
}

/**
 * A way to be stuck that shows in a call and its result. `detect` is a pure function of the comparison.
 * The ladder turns its count into a level at the end of the turn.
 */
export interface Detector<Name extends string = string> extends NamedDetector<Name> {
  detect(comparison: Comparison, rungs: Rungs): Detection | undefined;
}

/** A count of evidence about one cause. */
export interface Detection extends Count {
  /** Detections with an equal cause belong to one episode: the same call, the same failure, the same set of calls. */
  readonly cause: string;
  /** The number of different calls that take part, if more than one. */
  readonly period?: number;
  /** The calls to deny once the level is `block`, if not only the newest. */
  readonly prints?: readonly string[];
  /** The highest rung that is reached applies at once. */
  readonly skipsLevels?: true;
}

/** A detection of at least two equal calls. */
export function detectionOf(cause: string, counted: Count): Detection | undefined {
  return counted.count < 2 ? undefined : { ...counted, cause };
}

/**
 * A way to be stuck that shows elsewhere: in a stream, in time, before a call is made.
 * `notice` is called after each signal of one type was processed, and its detection takes effect at once.
 */
export interface Watcher<Name extends string = string, On extends SignalType = SignalType> extends NamedDetector<Name> {
  readonly on: On;
  notice(state: GuardianState, signal: SignalOf<On>, policy: Policy): WatcherDetection | undefined;
}

/** A count about one cause, with everything else that a message or the caller needs. */
export type WatcherDetection = Pick<Finding, "cause" | "count"> &
  Partial<Omit<Finding, "detector" | "cause" | "count">>;
