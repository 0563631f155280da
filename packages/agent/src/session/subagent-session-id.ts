import { createHash } from "node:crypto";
import type { RunRef } from "../protocol/run.ts";

/** The session id of the subagent that a call started. Derived from the call, so that it can be found after a crash. */
export function subagentSessionId({ sessionId, runId }: RunRef, callId: string): string {
  return derivedId([sessionId, runId, callId]);
}

/** The same for a node of the plan that a call executes. A later run of the session finds it, too. */
export function nodeSessionId(sessionId: string, callId: string, nodeId: string): string {
  return derivedId(["node", sessionId, callId, nodeId]);
}

function derivedId(parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `ses_${digest.slice(0, 20)}`;
}
