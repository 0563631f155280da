import type { AgentEventType, Severity } from "../protocol/events.ts";

/** The severity of each event type. */
export const severities: Readonly<Record<AgentEventType, Severity>> = {
  RunStarted: "info",
  UserMessage: "info",
  StateChanged: "debug",
  TurnStarted: "debug",
  TextDelta: "debug",
  ThinkingDelta: "debug",
  ToolUseStart: "debug",
  ToolInputDelta: "debug",
  RequestStarted: "debug",
  RequestEnded: "debug",
  StreamEnd: "debug",
  ProviderRetry: "warning",
  ProviderWarning: "warning",
  GuardFailed: "warning",
  ToolStart: "info",
  ToolOutput: "debug",
  ToolEnd: "info",
  ToolBlocked: "warning",
  GateDecision: "debug",
  ApprovalRequested: "warning",
  ApprovalResolved: "info",
  LessonLearned: "info",
  QuestionAsked: "warning",
  QuestionAnswered: "info",
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
  OpinionAsked: "debug",
  OpinionGiven: "info",
  GuardianMuted: "info",
  GuardianUnmuted: "info",
  LimitChanged: "info",
  BudgetWait: "warning",
  BudgetWarning: "warning",
  BudgetExceeded: "error",
  GoalEvaluated: "debug",
  JudgeVerdict: "info",
  GraphGenerated: "info",
  GraphRejected: "warning",
  NodeStarted: "info",
  NodeComplete: "info",
  EvolutionTriggered: "warning",
  ChildStarted: "info",
  ChildComplete: "info",
  RunComplete: "info",
  RunError: "error",
};

/** Parts of a reply or a result that is published in full later: the only events a slow reader may miss. */
export type DeltaType = "TextDelta" | "ThinkingDelta" | "ToolInputDelta" | "ToolOutput";

const deltaTypes: ReadonlySet<AgentEventType> = new Set<DeltaType>([
  "TextDelta",
  "ThinkingDelta",
  "ToolInputDelta",
  "ToolOutput",
]);

/** Whether an event is part of a stream. */
export function isDelta<Event extends { readonly type: AgentEventType }>(
  event: Event,
): event is Event & { readonly type: DeltaType } {
  return deltaTypes.has(event.type);
}

/** Whether an event is published and not saved: parts of a stream, and the start and end of a request. */
export function isPublishedOnly(event: { readonly type: AgentEventType }): boolean {
  return isDelta(event) || isAboutRequest(event);
}

/** Whether an event is about an attempt: it may belong to another request than the stream that it comes between. */
export function isAboutRequest(event: { readonly type: AgentEventType }): boolean {
  return event.type === "RequestStarted" || event.type === "RequestEnded";
}

/** Whether the event is the last one of its run. */
export function isTerminal(event: { readonly type: AgentEventType }): boolean {
  return event.type === "RunComplete" || event.type === "RunError";
}

/** Whether every reader gets the event: interventions of the guardian and the end of the run. */
export function isNeverDropped(event: { readonly type: AgentEventType }): boolean {
  return isTerminal(event) || event.type.startsWith("Guardian") || event.type.startsWith("Budget");
}
