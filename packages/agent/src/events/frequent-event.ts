import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import { fixedUsage } from "../protocol/usage.ts";
import { type Mask, maskField } from "../secrets/redact-deep.ts";
import { severities } from "./severity.ts";

/** Where and when an event happened. */
export type Stamp = Pick<AgentEvent, "seq" | "at" | "sessionId" | "runId">;

/**
 * An event of the kinds that every turn has; undefined for any other. A literal that names all fields is made many times quicker than a copy field by
 * field, and only what somebody else wrote is looked through for secrets.
 */
export function frequentEvent(
  body: AgentEventBody,
  { seq, at, sessionId, runId }: Stamp,
  mask: Mask,
): AgentEvent | undefined {
  switch (body.type) {
    case "TextDelta":
    case "ThinkingDelta":
      return { type: body.type, seq, at, sessionId, runId, severity: severities.TextDelta, text: mask(body.text) };
    case "ToolInputDelta":
      return {
        type: body.type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.ToolInputDelta,
        callId: body.callId,
        text: mask(body.text),
      };
    case "TurnStarted":
    case "TurnComplete":
    case "Checkpointed": // all three alike, as are the two deltas above
      return { type: body.type, seq, at, sessionId, runId, severity: severities.TurnStarted, turn: body.turn };
    case "StateChanged":
      return { type: body.type, seq, at, sessionId, runId, severity: severities.StateChanged, state: body.state };
    case "ToolUseStart":
      return {
        type: body.type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.ToolUseStart,
        callId: body.callId,
        tool: body.tool,
      };
    case "StreamEnd":
      if (body.problem !== undefined) return undefined;
      return {
        type: body.type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.StreamEnd,
        isComplete: body.isComplete,
      };
    case "UsageUpdate":
      return {
        type: body.type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.UsageUpdate,
        usage: fixedUsage(body.usage),
        total: fixedUsage(body.total),
      };
    case "CostEvent": {
      const { type, model, costNanoUsd, totalNanoUsd } = body;
      return { type, seq, at, sessionId, runId, severity: severities.CostEvent, model, costNanoUsd, totalNanoUsd };
    }
    case "GateDecision": {
      const { type, callId, tool, tier } = body;
      return {
        type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.GateDecision,
        callId,
        tool,
        tier,
        decision: masked(body.decision, mask),
        reason: masked(body.reason, mask),
      };
    }
    case "ToolStart":
      return {
        type: body.type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.ToolStart,
        callId: body.callId,
        tool: body.tool,
        input: maskField("input", body.input, mask),
      };
    case "ToolEnd": {
      if (body.details !== undefined) return undefined;
      const { type, callId, tool, status, ms } = body;
      return {
        type,
        seq,
        at,
        sessionId,
        runId,
        severity: severities.ToolEnd,
        callId,
        tool,
        status,
        content: masked(body.content, mask),
        ms,
      };
    }
    default:
      return undefined;
  }
}

/** What a gate or a tool has said is text as a rule. */
function masked<Text extends string>(said: Text, mask: Mask): Text {
  return (typeof said === "string" ? mask(said) : maskField("", said, mask)) as Text; // a word of ours holds no secret, and stays what it is
}
