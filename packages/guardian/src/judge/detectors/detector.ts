import type { Policy, Rungs } from "../../policy.ts";
import type { SignalOf, SignalType } from "../../signal.ts";
import type { GuardianState } from "../../state.ts";
import type { StopReason } from "../../stop.ts";
import type { Finding } from "../finding.ts";
import type { Count, Sight } from "../sight.ts";

/** What a detector saw: a count of evidence about one cause. */
export interface Seen extends Count {
  /** What makes two sightings one: the same call, the same failure, the same set of calls. */
  readonly cause: string;
  /** How many different calls take part, where it is more than one. */
  readonly period?: number;
  /** The calls to deny once the level is `block`, where it is not the newest alone. */
  readonly prints?: readonly string[];
  /** The highest rung that is reached speaks, whatever was said before. */
  readonly isDirect?: true;
}

/** What was counted of a cause, where it is more than the newest call. */
export function seenOf(cause: string, counted: Count): Seen | undefined {
  return counted.count < 2 ? undefined : { ...counted, cause };
}

/** What all detectors have. */
interface Named<Name extends string> {
  readonly name: Name;
  /** The counts at which it speaks by default. */
  readonly rungs: Rungs;
  /** What a run is ended for. */
  readonly reason: StopReason;
  /** What it says holds until a person speaks, whatever the calls in between bring. */
  readonly isLasting?: true;
}

/** A way to be stuck that shows in a call and its result. Its `detect` is a function of what is in sight and keeps nothing of its own; the ladder turns its count into levels, told at the end of the turn. */
export interface Detector<Name extends string = string> extends Named<Name> {
  detect(sight: Sight, rungs: Rungs): Seen | undefined;
}

/** What a watcher noticed: a count about one cause, and whatever else a message or the caller needs. */
export type Noticed = Pick<Finding, "cause" | "count"> & Partial<Omit<Finding, "detector" | "cause" | "count">>;

/** A way to be stuck that shows elsewhere: in a stream, in time, before a call is made. It is asked on signals of one type, after those were folded in, and heard at once. */
export interface Watcher<Name extends string = string, On extends SignalType = SignalType> extends Named<Name> {
  readonly on: On;
  notice(state: GuardianState, signal: SignalOf<On>, policy: Policy): Noticed | undefined;
}
