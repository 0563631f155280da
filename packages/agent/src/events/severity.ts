import type { AgentEventType, Severity } from "../protocol/events.ts";

/** How much each event matters to someone who only watches. */
export const severities: Readonly<Record<AgentEventType, Severity>> = {
  RunStarted: "info",
  StateChanged: "debug",
  TurnStarted: "debug",
  TextDelta: "debug",
  ThinkingDelta: "debug",
  ToolUseStart: "debug",
  ToolInputDelta: "debug",
  StreamEnd: "debug",
  ProviderRetry: "warning",
  ToolStart: "info",
  ToolEnd: "info",
  ToolBlocked: "warning",
  GateDecision: "debug",
  ApprovalRequested: "warning",
  ApprovalResolved: "info",
  TurnComplete: "debug",
  UsageUpdate: "debug",
  CostEvent: "debug",
  ContextCompacted: "info",
  MemoryFlushed: "info",
  Checkpointed: "debug",
  GuardianIntervention: "info",
  GuardianHint: "info",
  GuardianDoomLoop: "warning",
  GuardianStall: "warning",
  GuardianBudgetAlert: "warning",
  GuardianRecovered: "info",
  GuardianMuted: "info",
  LimitChanged: "info",
  BudgetWarning: "warning",
  BudgetExceeded: "error",
  JudgeVerdict: "info",
  ChildStarted: "info",
  ChildComplete: "info",
  RunComplete: "info",
  RunError: "error",
};

/** Pieces of something that is told whole later: the only events one who reads may miss. */
export type DeltaType = "TextDelta" | "ThinkingDelta" | "ToolInputDelta";

/** Whether an event is a piece of a stream. */
export function isDelta<Event extends { readonly type: AgentEventType }>(
  event: Event,
): event is Event & { readonly type: DeltaType } {
  return event.type === "TextDelta" || event.type === "ThinkingDelta" || event.type === "ToolInputDelta";
}

/** Whether nothing of its run comes after it. */
export function isTerminal(event: { readonly type: AgentEventType }): boolean {
  return event.type === "RunComplete" || event.type === "RunError";
}

/** Whether even one who has not begun to read must not miss it: what the guardian said, and how the run ended. */
export function isNeverDropped(event: { readonly type: AgentEventType }): boolean {
  return isTerminal(event) || event.type.startsWith("Guardian") || event.type.startsWith("Budget");
}
