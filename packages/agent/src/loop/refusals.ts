import { refusalText } from "../gate/decision-sentences.ts";
import type { GateDecision } from "../gate/gate.ts";
import { escapeNotices } from "../guard/notice.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import { toolStart } from "../tools/tool-start.ts";
import type { AgentRun } from "./agent-run.ts";

/** What the model reads in place of the result of a call that was not executed. */
export type Refusal = Pick<ResultMessage, "status" | "content">;

export function blockedByGuardian(run: AgentRun, call: CallPart, message: string): ResultMessage {
  emitBlocked(run, call, "guardian", message);
  run.audit.refused(call, "guardian", message);
  return resultMessage(run, call, { status: "denied", content: message });
}

export function blockedByGuard(run: AgentRun, call: CallPart, warning: string): Refusal {
  emitBlocked(run, call, "guard", warning);
  run.audit.refused(call, "guard", warning);
  return { status: "denied", content: escapeNotices(warning) };
}

export function deniedByGate(run: AgentRun, call: CallPart, denied: Pick<GateDecision, "reason" | "instead">): Refusal {
  const message = refusalText(denied);
  emitBlocked(run, call, "gate", message);
  return { status: "denied", content: message };
}

/** A call to an unknown tool, or with unreadable arguments, is reported like a call that failed at once. */
export function notExecutable({ setup, events }: AgentRun, call: CallPart, tool: Tool | undefined): Refusal {
  const { id: callId, tool: name, problem } = call;
  const refusal: Refusal =
    tool === undefined
      ? { status: "unknown-tool", content: setup.tools.describeUnknown(name) }
      : { status: "invalid-arguments", content: problem ?? "The arguments are not a JSON object." };
  events.emit(toolStart(call, tool?.kind));
  events.emit({ type: "ToolEnd", callId, tool: name, ...refusal, ms: 0 });
  return refusal;
}

/** The guardian allowed the call, so it gets the result too. */
export function refusedResult(run: AgentRun, call: CallPart, refusal: Refusal): ResultMessage {
  const result = resultMessage(run, call, refusal);
  run.guard.afterCalls([result]);
  return result;
}

function emitBlocked(
  { events }: AgentRun,
  { id, tool, input }: CallPart,
  by: "guardian" | "guard" | "gate",
  message: string,
): void {
  events.emit({ type: "ToolBlocked", callId: id, tool, input, by, message });
}

function resultMessage(
  { setup: { clock } }: AgentRun,
  { id, tool }: CallPart,
  { status, content }: Refusal,
): ResultMessage {
  return { role: "tool", id: clock.newId("msg"), at: clock.now(), callId: id, tool, status, content };
}
