import type { Rungs } from "../../policy.ts";
import type { StopReason } from "../../state.ts";
import type { Count, Sight } from "../sight.ts";

/** What a detector saw: a count of evidence about one cause. */
export interface Seen extends Count {
  /** What makes two sightings one: the same call, the same failure, the same set of calls. */
  readonly cause: string;
  /** How many different calls take part, where it is more than one. */
  readonly period?: number;
  /** The calls to deny once the level is `block`, where it is not the newest alone. */
  readonly prints?: readonly string[];
}

/** A way to be stuck. Its `detect` is a function of what is in sight and keeps nothing of its own; the ladder turns its count into levels. */
export interface Detector<Name extends string = string> {
  readonly name: Name;
  /** The counts at which it speaks by default. */
  readonly rungs: Rungs;
  /** What a run is ended for. */
  readonly reason: StopReason;
  detect(sight: Sight): Seen | undefined;
}
