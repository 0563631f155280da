export type { AgentEvent, AgentEventBody, AgentEventType, GraphNode, Severity } from "../protocol/events.ts";
export type { GoalEvaluation } from "../protocol/goal.ts";
export type { Usage } from "../protocol/messages.ts";
export type { Reason, RunResult, RunState } from "../protocol/result.ts";
export type { RunQuestion } from "../protocol/run-question.ts";
