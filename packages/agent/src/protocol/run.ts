import type { Policy } from "@sheepdog/guardian";
import type { AgentEvent } from "./events.ts";
import type { GateRule } from "./gate-rule.ts";
import type { CallPart } from "./messages.ts";
import type { RunResult } from "./result.ts";
import type { RunControl } from "./run-control.ts";
import type { AnsweredBy } from "./run-question.ts";

/** Identifies a run within its session. */
export interface RunRef {
  readonly sessionId: string;
  readonly runId: string;
}

/** A started run: its events as they happen, and its result. The result never rejects because of the world. */
export interface Run extends AsyncIterable<AgentEvent> {
  readonly sessionId: string;
  readonly runId: string;
  readonly result: Promise<RunResult>;
  /** Aborts the request and the running tools, then ends the run with a complete history. */
  cancel(): void;
  /**
   * Sends the agent a message; it reads it at the end of the turn. Resolves with false if the run is over, or the
   * message does not fit into the context. A short message is accepted at once; a long one is counted first.
   */
  steer(text: string): Promise<boolean>;
  /** Why a message would not fit into the context, in one sentence with the numbers; undefined if it would. */
  steeringProblem(text: string): Promise<string | undefined>;
  /** Changes a limit, for subagents too, or mutes or unmutes the guardian. False when the run is over or ending. */
  control(control: RunControl): boolean;
  /** The limits in force: those of the policy with all changes so far. */
  limits(): Policy["limits"];
  /** Whether little is left of the tokens or the money of the run, by the settings `reserveTokens` and so on. */
  nearBudget(): boolean;
}

/** The user's answer about a call that the gate asks about. */
export interface Approval {
  readonly isAllowed: boolean;
  /** Set if the user did not answer, for example in time. Then the call is not allowed. */
  readonly isUnanswered?: true;
  /** What the model reads about a refusal. */
  readonly reason?: string;
  /** What the person typed besides no. A lesson is learned from these words only. */
  readonly words?: string;
  readonly by?: AnsweredBy;
}

/** Asks the user whether a call may be executed. `suggestion`: the rule with which the user could always allow it. */
export type Approve = (call: CallPart, reason: string, signal: AbortSignal, suggestion?: GateRule) => Promise<Approval>;
