import type { ControlMessage } from "./control-message.ts";

/**
 * What came of a command. `applied` carries the message with the limit that is now in force. `refused`: the run cannot
 * do that, and `reason` says why. `ended`: the run has ended or is about to. `unanswered`: no process received the
 * command, and it was withdrawn.
 */
export type CommandOutcome =
  | { readonly type: "applied"; readonly message: ControlMessage }
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "ended" }
  | { readonly type: "unanswered" };
