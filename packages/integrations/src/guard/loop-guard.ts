import type { CallDecision, Guardian, PlannedCall, RawResult, Stop } from "@sheepdog/guardian";
import type { RequestUsage } from "./guard-options.ts";
import type { Notice } from "./notice.ts";

/** The state of a guard: plain JSON, to be saved with the state of the framework. */
export interface GuardState {
  readonly version: 1;
  readonly guardian: unknown;
  /** Notices that the model has not read yet. */
  readonly notices: readonly Notice[];
  readonly isTurnOpen: boolean;
  readonly tokens: number;
  readonly costNanoUsd: number;
  /** False once a request had no price. */
  readonly isPriced: boolean;
}

/**
 * The guardian as the loop of a framework needs it; one for each run of an agent. The order of a turn is
 * `beforeRequest`, `usage`, then `beforeCall` and `afterCall` for each call, or `reply` if there are none.
 */
export interface LoopGuard {
  /** Call it before a call is executed. The message of a refusal goes to the model in place of the result. */
  beforeCall(call: PlannedCall): CallDecision;
  /** Call it when a call has ended. A refused call needs no result. */
  afterCall(id: string, result: RawResult): void;
  /** Call it before each model request: ends the turn before it. Returns all notices that were not confirmed. */
  beforeRequest(): readonly Notice[];
  /** Notices that are part of the conversation now, and need not be sent again. */
  confirm(notices: readonly Notice[]): void;
  /** Adds what a request used. */
  usage(usage: RequestUsage): void;
  /** A reply without calls. */
  reply(text: string): void;
  /** A person has written; excuses looking again. */
  userMessage(): void;
  /** Set once the run has to end. */
  readonly stop: Stop | undefined;
  /** The guardian itself, for everything else. */
  readonly guardian: Guardian;
  snapshot(): GuardState;
}
