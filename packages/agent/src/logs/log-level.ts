import type { AgentEventType } from "../protocol/events.ts";

/** How much is logged: 1 the run's prompt and result, 2 also its turns, costs and the guardian, 3 also the calls with what went in and came out. */
export type LogLevel = 1 | 2 | 3;

/** The level from which on an event is logged; undefined where it never is. */
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
  GuardianHint: undefined, // it repeats the intervention, as do the next ones
  GuardianDoomLoop: undefined,
  GuardianStall: undefined,
  GuardianBudgetAlert: undefined,
  GuardianRecovered: 2,
  GuardianMuted: 2,
  LimitChanged: 2,
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
  ToolEnd: 3,
};
