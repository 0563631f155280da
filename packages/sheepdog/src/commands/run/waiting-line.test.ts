import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { expect, test } from "vitest";
import type { AskedChannel } from "../../channels/is-asked.ts";
import { waitingLine } from "./waiting-line.ts";

const answerFrom = ["ann"];
const channels: readonly AskedChannel[] = [
  { name: "phone", answerFrom, events: ["approval", "question", "end"] },
  { name: "team", answerFrom, events: ["approval"] },
  { name: "log", answerFrom: [], events: ["approval", "question"] },
];

const line = (body: AgentEventBody, asked = channels) => {
  const head = { seq: 0, at: 1_000, sessionId: "s", runId: "r", severity: "info" } as const;
  return waitingLine({ ...body, ...head } satisfies AgentEvent, asked);
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
  expect(line({ type: "ToolStart", callId: "c", tool: "ask_user", input: {} })).toBe(
    "waiting for an answer to the agent's question (sent to phone)",
  );
});

test("a question that no channel gets is not said to be sent", () => {
  const news = channels.map((channel) => ({ ...channel, events: ["end"] as const }));
  expect(line({ type: "ToolStart", callId: "c", tool: "ask_user", input: {} }, news)).toBeUndefined();
});
