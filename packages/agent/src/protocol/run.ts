import type { Intervention, Policy, SignalOf } from "@sheepdog/guardian";
import type { AgentEvent } from "./events.ts";
import type { CallPart } from "./messages.ts";
import type { RunResult } from "./result.ts";

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
  /** Sends the agent a message; it reads it at the end of the turn. False when the run is over. */
  steer(text: string): boolean;
  /** Changes a limit, for subagents too, or mutes the guardian. False when the run is over or ending. */
  control(control: RunControl): boolean;
  /** The limits in force: those of the policy with all changes so far. */
  limits(): Policy["limits"];
}

/** A change to a running run: another limit, or a mute for the guardian. */
export type RunControl = Omit<SignalOf<"limit">, "at"> | Omit<SignalOf<"mute">, "at">;

/** The user's answer about a call that the gate asks about. */
export interface Approval {
  readonly isAllowed: boolean;
  readonly reason?: string;
}

/** Asks the user whether a call may be executed. */
export type Approve = (call: CallPart, reason: string, signal: AbortSignal) => Promise<Approval>;

/** A question about the run itself: the guardian wants to refuse calls or end the run, or a limit is reached. */
export interface RunQuestion {
  /** Unique in the session. */
  readonly id: string;
  /** What happened, in one or two sentences. */
  readonly text: string;
  readonly intervention: Intervention;
  /** What the answer "continue" changes: the episode is muted, or the limit raised by its own amount. */
  readonly ifContinued: RunControl;
  readonly turns: number;
  /** The cost of the run so far; null when a price is unknown. */
  readonly costNanoUsd: number | null;
}

/** The user's answer. `tell` continues and sends the agent a message. */
export type RunAnswer =
  | { readonly type: "stop" }
  | { readonly type: "continue" }
  | { readonly type: "tell"; readonly text: string };

/** Asks the user how a run continues. Resolves to undefined when the user gives no answer. */
export type AskAboutRun = (question: RunQuestion, signal: AbortSignal) => Promise<RunAnswer | undefined>;
