import { join } from "node:path";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";
import type { CommandOutcome } from "./command-outcome.ts";
import type { ControlMessage } from "./control-message.ts";
import { isOwnerRunning } from "./folder-owner.ts";
import { sendMessage } from "./send-message.ts";

export type { CommandOutcome } from "./command-outcome.ts";

/** The longest time a run takes to answer a message. */
const answerMs = 3_000;

/** Sends commands to runs, of this process or of any other on the same home. */
export interface RunPort {
  /** Waits for the answer of the run, for a few seconds. Rejects if the message cannot be written. */
  send(runId: string, message: ControlMessage): Promise<CommandOutcome>;
  /** Whether a process receives commands for the run. */
  canReceive(runId: string): Promise<boolean>;
}

/** Creates the port to the runs of a home. */
export function createRunPort(home: Home): RunPort {
  return {
    send: async (runId, message) => (await sendMessage(home, runId, message)).answer(answerMs),
    canReceive: async (runId) => isId(runId) && isOwnerRunning(join(home.controlDir, runId)),
  };
}
