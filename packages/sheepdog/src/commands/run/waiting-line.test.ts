import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { waitingLine } from "./waiting-line.ts";

const line = (body: AgentEventBody) => {
  const head = { seq: 0, at: 1_000, sessionId: "s", runId: "r", severity: "info" } as const;
  return waitingLine({ ...body, ...head } satisfies AgentEvent, ["phone", "team"]);
};

test("a run that waits for an answer says for what, how long, and where it was asked", () => {
  const call = { callId: "c", tool: "bash", input: { command: "git push" }, reason: "It writes." } as const;
  expect(line({ type: "ApprovalRequested", ...call, answerBy: 901_000 })).toBe(
    "waiting up to 15 min for an answer to `git push` (sent to phone, team)",
  );
  expect(line({ type: "ApprovalResolved", callId: "c", isAllowed: true })).toBe("approved");
  expect(line({ type: "ApprovalResolved", callId: "c", isAllowed: false, reason: "not on Friday" })).toBe(
    "not approved: not on Friday",
  );
  expect(line({ type: "ToolStart", callId: "c", tool: "bash", input: {} })).toBeUndefined();
});
