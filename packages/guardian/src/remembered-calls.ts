import type { CallPrint, OutcomePrint } from "./perceive/print.ts";
import type { ToolKind } from "./signal.ts";

/** One finished call. */
export interface Observation {
  /** 0-based, over all calls of the session. */
  readonly index: number;
  readonly turn: number;
  /** How often a person had spoken, a schedule had fired, the history had been compacted, before this call. */
  readonly personTurn: number;
  readonly schedule: number;
  readonly compaction: number;
  /** Changes of the world before this call. */
  readonly epoch: number;
  /** Time passed in the session when the call was made, and how long it took; in milliseconds. */
  readonly atMs: number;
  readonly ms: number;
  /** What the run had cost when the call was made, where that is known. */
  readonly costNanoUsd?: number | undefined;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly call: CallPrint;
  readonly outcome: Omit<OutcomePrint, "excerpt">;
  /** The largest evidence that this call repeats an earlier one, before and after the discount for what lay between. */
  readonly likeness: number;
  readonly redundancy: number;
  /** Part of an episode that a change of the world has closed: it counts against nobody any more. */
  readonly isSettled?: true;
}

/** What is kept of a call that has left the ring of observations: enough to know it again when it comes back exactly. */
export type Trace = readonly [
  index: number,
  turn: number,
  personTurn: number,
  schedule: number,
  epoch: number,
  kind: ToolKind,
  call: string,
  outcome: string,
  isSettled: 0 | 1,
];

/** A call without its result. */
export interface OpenCall {
  readonly id: string;
  readonly index: number;
  readonly turn: number;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly call: CallPrint;
  readonly atMs: number;
}

/** A call that was refused before it was made, by its exact print. */
export type Refused = readonly [index: number, turn: number, personTurn: number, call: string];
