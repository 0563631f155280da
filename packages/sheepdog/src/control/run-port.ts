import type { ControlMessage } from "./control-message.ts";

/**
 * What came of a command. `refused`: the run cannot do that, and `reason` says why. `ended`: the run has ended or is
 * about to. `unanswered`: no process received the command, and it was withdrawn.
 */
export type CommandOutcome =
  | { readonly type: "applied"; readonly message: ControlMessage }
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "ended" }
  | { readonly type: "unanswered" };

/** Sends commands to runs, of this process or of any other on the same home. */
export interface RunPort {
  send(runId: string, message: ControlMessage): Promise<CommandOutcome>;
  /** Whether a process receives commands for the run. */
  canReceive(runId: string): Promise<boolean>;
}
