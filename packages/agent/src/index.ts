export { goalFocus } from "./context/goal-focus.ts";
export { identityFiles, type LayerFileName, narrativeFiles, readLayerFiles } from "./context/layer-files.ts";
export { buildSystem, type Focus, type Layers, type Source } from "./context/layers.ts";
export {
  createEventBus,
  type EventBus,
  type EventBusOptions,
  type StreamOptions,
  type Subscription,
} from "./events/event-bus.ts";
export { isDelta } from "./events/severity.ts";
export type { Listener } from "./events/subscriber.ts";
export {
  createGate,
  type ExplainedDecision,
  type ExplainingGate,
  type GateMode,
  type GateOptions,
} from "./gate/default-gate.ts";
export type { PathLocation } from "./gate/files/path-location.ts";
export type {
  Gate,
  GateContext,
  GateDecision,
  GateLesson,
  PathUse,
  Principle,
  PrincipleFinding,
  Tier,
} from "./gate/gate.ts";
export type { Check, CheckInput } from "./goals/check.ts";
export { createGoalJudge } from "./goals/goal-judge.ts";
export type { CommandResult, Judge, JudgeAnswer, JudgeInput, Judgement, JudgeQuestion } from "./goals/judge.ts";
export { readRunLog } from "./logs/read-run-log.ts";
export { createRunLog } from "./logs/run-log.ts";
export { type AuditEntry, type AuditOutcome, type AuditRow, auditOutcomes } from "./protocol/audit.ts";
export type { Clock } from "./protocol/clock.ts";
export type { AgentEvent, AgentEventBody, AgentEventType, GraphNode, Severity } from "./protocol/events.ts";
export type { FailureKind } from "./protocol/failure-kind.ts";
export type { GateReasoning } from "./protocol/gate-reasoning.ts";
export { type GateRule, ruleText } from "./protocol/gate-rule.ts";
export type {
  CommandCheck,
  Constraint,
  ConstraintRule,
  Criterion,
  CustomCheck,
  Goal,
  GoalEvaluation,
  Verdict,
} from "./protocol/goal.ts";
export { confidenceAt, type Lesson, type NewLesson } from "./protocol/lesson.ts";
export type {
  AssistantMessage,
  CallPart,
  Message,
  MessageOrigin,
  ReplyPart,
  ResultMessage,
  Usage,
  UserMessage,
} from "./protocol/messages.ts";
export { escapeTags, outsideText } from "./protocol/outside-text.ts";
export type { EdgeCondition, NodeGoal, NodeStatus, Plan, PlanEdge, PlanNode } from "./protocol/plan.ts";
export type { ResponseSchema } from "./protocol/response-schema.ts";
export { outcomes, type Reason, type RunResult, type RunState } from "./protocol/result.ts";
export type { Approval, Approve, Run, RunRef } from "./protocol/run.ts";
export type { ControlToContinue, RunControl } from "./protocol/run-control.ts";
export type { GuardContext, GuardMessage, RunGuard } from "./protocol/run-guard.ts";
export type { AnsweredBy, AskAboutRun, GivenRunAnswer, RunAnswer, RunQuestion } from "./protocol/run-question.ts";
export type { RunSpec } from "./protocol/run-spec.ts";
export { type AgentSettings, defaultSettings } from "./protocol/settings.ts";
export { findAddress, findModel, type ModelSpec } from "./provider/find-model.ts";
export type { Model } from "./provider/model.ts";
export { type Provider, providerNames, providers } from "./provider/providers.ts";
export { createRuntime, type Runtime } from "./runtime/runtime.ts";
export type { RuntimeOptions } from "./runtime/runtime-options.ts";
export { createRedact, type Redact } from "./secrets/redact.ts";
export { forkSession } from "./session/fork-session.ts";
export { SessionInUseError } from "./session/open-session.ts";
export { auditEntries } from "./stores/audit-entries.ts";
export { exportSession, type SessionDocument } from "./stores/export-session.ts";
export { isGone, thisProcess } from "./stores/holder.ts";
export { isLeaseActive } from "./stores/lease.ts";
export { findLostAmounts, isLostAmounts } from "./stores/lost-amounts.ts";
export { memoryStores } from "./stores/memory-stores.ts";
export { prune } from "./stores/prune.ts";
export { removeSession } from "./stores/remove-session.ts";
export type { RebuildReport } from "./stores/sqlite/build-database.ts";
export { DamagedDatabaseError, DatabaseError } from "./stores/sqlite/errors.ts";
export { openForReading, type ReadableStores } from "./stores/sqlite/open-for-reading.ts";
export { connectReadOnly } from "./stores/sqlite/open-read-only.ts";
export { rebuildDatabase } from "./stores/sqlite/rebuild.ts";
export { sqliteStores } from "./stores/sqlite/sqlite-stores.ts";
export type {
  AuditFilter,
  AuditStore,
  Checkpoint,
  Claim,
  Commit,
  CostCorrection,
  CostRow,
  CostStore,
  CostSum,
  CostTotals,
  EventBatch,
  EventStore,
  Fact,
  Holder,
  Lease,
  LedgerEntry,
  LessonStore,
  MemoryStore,
  MoneyLimits,
  PossibleUse,
  ReservationResult,
  RunLocation,
  SavedAuditRow,
  SavedRun,
  SavedSession,
  SessionStore,
  SessionSummary,
  Stores,
  UnansweredCall,
} from "./stores/stores.ts";
export { LeaseLostError } from "./stores/stores.ts";
export type { Ask, Question } from "./tools/ask-user-tool.ts";
export type { BashToolOptions } from "./tools/bash-tool.ts";
export { builtinTools } from "./tools/builtin-tools.ts";
export { defineTool, type ToolSpec } from "./tools/define-tool.ts";
export type { FileChange } from "./tools/files/file-change.ts";
export { createReadRegistry } from "./tools/files/read-registry.ts";
export { findSandbox, type SandboxOptions } from "./tools/sandbox/find-sandbox.ts";
export type { FoundSandbox, Sandbox, SandboxedCommand, SandboxRequest } from "./tools/sandbox/sandbox.ts";
export type { Spawn, SpawnOptions } from "./tools/spawn-tool.ts";
export {
  failed,
  type JsonSchema,
  ok,
  type Tool,
  type ToolContext,
  type ToolOrigin,
  type ToolOutcome,
  type ToolReturn,
} from "./tools/tool.ts";
export type { WebFetchToolOptions } from "./tools/web-fetch-tool.ts";
