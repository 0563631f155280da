import type { Policy, SignalOf } from "@sheepdog/guardian";
import type { AgentEvent } from "./events.ts";
import type { RunResult } from "./result.ts";

/** A run that goes on: its events as they come, and a promise of what came of it that never rejects for what the world did. */
export interface Run extends AsyncIterable<AgentEvent> {
  readonly sessionId: string;
  readonly runId: string;
  readonly result: Promise<RunResult>;
  /** Ends it in good order: the request and the tools are aborted, the history stays whole. */
  cancel(): void;
  /** Says something to the agent; it is heard at the end of the turn. False where the run is over. */
  steer(text: string): boolean;
  /** Sets a limit anew, for its subagents as well, or has the guardian leave something alone, from now on. False where the run is over, or about to be. */
  control(instruction: RunControl): boolean;
  /** The limits that hold now: those it began with, and those that were set anew. */
  limits(): Policy["limits"];
}

/** What a person can say to the guardian of a run: which limit holds from now on, and what it is to leave alone. */
export type RunControl = Omit<SignalOf<"limit">, "at"> | Omit<SignalOf<"mute">, "at">;
