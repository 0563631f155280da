import { createHash } from "node:crypto";
import type { RunRef } from "../protocol/run.ts";

/** The session id of the subagent that a call started. Derived from the call, so that it can be found after a crash. */
export function subagentSessionId({ sessionId, runId }: RunRef, callId: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([sessionId, runId, callId]))
    .digest("hex");
  return `ses_${digest.slice(0, 20)}`;
}
