import type { CallPrint, OutcomePrint } from "../perceive/print.ts";
import type { ToolKind } from "../perceive/tool-kind.ts";

/** One finished call. */
export interface Observation {
  /** 0-based, over all calls of the session. */
  readonly index: number;
  readonly turn: number;
  /** Counters of the session when the result came: messages of a person, scheduled prompts, compactions. */
  readonly personTurn: number;
  readonly scheduledPrompts: number;
  readonly compactions: number;
  /** Changes of the world before this call. */
  readonly epoch: number;
  /** Session time at which the call was made, and its duration; in milliseconds. */
  readonly atMs: number;
  readonly ms: number;
  /** The cost of the run when the call was made, if known. */
  readonly costNanoUsd?: number | undefined;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly call: CallPrint;
  readonly outcome: Omit<OutcomePrint, "excerpt">;
  /** The largest evidence that this call repeats an earlier one, before and after the discount for calls in between. */
  readonly likeness: number;
  readonly redundancy: number;
  /** Part of an episode that a change of the world has closed: it no longer counts. */
  readonly isSettled?: true;
}

/** A call that has left the history: enough to recognise an exact repetition. */
export type Trace = readonly [
  index: number,
  turn: number,
  personTurn: number,
  scheduledPrompts: number,
  epoch: number,
  kind: ToolKind,
  call: string,
  outcome: string,
  isSettled: 0 | 1,
];

/** A call without its result. */
export interface UnansweredCall {
  readonly id: string;
  readonly index: number;
  readonly turn: number;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly call: CallPrint;
  readonly atMs: number;
}

/** A call that was refused before it was made, by its exact print. */
export type RefusedCall = readonly [index: number, turn: number, personTurn: number, call: string];

/** A finished call before it is compared with earlier ones. */
export type UncomparedCall = Omit<Observation, "likeness" | "redundancy">;
