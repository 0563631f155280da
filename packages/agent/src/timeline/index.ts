/** Events of runs and the timeline that they build. This entry imports no Node API: it also works in a browser. */
export type { AgentEvent, AgentEventBody, AgentEventType, GraphNode, Severity } from "../protocol/events.ts";
export type { GoalEvaluation } from "../protocol/goal.ts";
export type { Usage } from "../protocol/messages.ts";
export type { Reason, RunResult, RunState } from "../protocol/result.ts";
export type { RunQuestion } from "../protocol/run-question.ts";
export { counted, dollars, limitAmount } from "./amount-text.ts";
export { duration, wholeDuration } from "./duration.ts";
export type {
  CallItem,
  DiffLine,
  EndItem,
  GoalItem,
  GuardianItem,
  Item,
  ItemStart,
  NoteItem,
  OpinionItem,
  PlanItem,
  PromptItem,
  RecoveredItem,
  TextItem,
  VerdictItem,
} from "./item.ts";
export { createLiveItems, type LiveItems, type LiveState } from "./live-items.ts";
export { planSize, stagesOf } from "./plan-stages.ts";
export { savedItems } from "./saved-items.ts";
