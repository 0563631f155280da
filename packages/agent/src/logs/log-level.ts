import type { AgentEventType } from "../protocol/events.ts";

/** How much is logged: 1 prompt and result, 2 also turns, costs and guardian, 3 also calls with input and output. */
export type LogLevel = 1 | 2 | 3;

/** The lowest level at which an event is logged; undefined when it is never logged. */
export const levelOf: Readonly<Record<AgentEventType, LogLevel | undefined>> = {
  RunStarted: 1,
  RunComplete: 1,
  RunError: 1,
  StateChanged: undefined,
  TurnStarted: 2,
  TurnComplete: 2,
  TextDelta: undefined,
  ThinkingDelta: undefined,
  ToolUseStart: undefined,
  ToolInputDelta: undefined,
  StreamEnd: 2,
  ProviderRetry: 2,
  UsageUpdate: 2,
  CostEvent: 2,
  ContextCompacted: 2,
  MemoryFlushed: 2,
  Checkpointed: 2,
  GuardianIntervention: 2,
  GuardianHint: undefined, // repeats GuardianIntervention, like the next three
  GuardianDoomLoop: undefined,
  GuardianStall: undefined,
  GuardianBudgetAlert: undefined,
  GuardianRecovered: 2,
  GuardianMuted: 2,
  LimitChanged: 2,
  QuestionAsked: 2,
  QuestionAnswered: 2,
  BudgetWarning: undefined,
  BudgetExceeded: undefined,
  JudgeVerdict: 2,
  ChildStarted: 2,
  ChildComplete: 2,
  ToolBlocked: 2,
  GateDecision: 3,
  ApprovalRequested: 3,
  ApprovalResolved: 3,
  ToolStart: 3,
  ToolOutput: undefined,
  ToolEnd: 3,
};
