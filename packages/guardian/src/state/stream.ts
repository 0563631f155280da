import type { Channel } from "../signal.ts";

/** The stored part of a running stream: plain JSON. */
export interface Stream {
  /** The newest characters. */
  readonly tail: string;
  /** Characters at its end that were not inspected yet. */
  readonly fresh: number;
  /** Its end is inside a code fence. */
  readonly isFenced: boolean;
}

/** The running streams by channel. */
export type Streams = Readonly<Partial<Record<Channel, Stream>>>;

/** A text that repeats itself. */
export interface Chant {
  /** Characters of the shortest repeated unit. */
  readonly period: number;
  /** How often the unit occurs in the stored tail; the last one may be incomplete. */
  readonly repeats: number;
  /** Characters at the end that can be cut off so that two repetitions are left. */
  readonly surplus: number;
}
