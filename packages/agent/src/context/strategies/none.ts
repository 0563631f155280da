import type { Message } from "../../protocol/messages.ts";
import type { Crowded } from "./strategy.ts";

/** Leaves everything as it is: a run that grows too large is stopped by the guardian. */
export function none({ messages }: Crowded): readonly Message[] {
  return messages;
}
