import type {
  DetectorName,
  Intervention,
  LimitName,
  OpinionRequest,
  Policy,
  SignalOf,
  ToolKind,
} from "@sheepdog/guardian";
import type { FailureKind } from "./failure-kind.ts";
import type { GateReasoning } from "./gate-reasoning.ts";
import type { GoalEvaluation, Verdict } from "./goal.ts";
import type { Message, ReplyPart, ReplyStop, Usage } from "./messages.ts";
import type { NodeStatus, PlanEdge, PlanNode } from "./plan.ts";
import type { RequestPurpose } from "./request-purpose.ts";
import type { Reason, RunResult, RunState } from "./result.ts";
import type { AnsweredBy, RunAnswer, RunQuestion } from "./run-question.ts";
import type { RunSpec } from "./run-spec.ts";

/** How important an event is for a reader of the activity feed. */
export type Severity = "debug" | "info" | "warning" | "error";

/** A node as events show it: the first line of its prompt, and what it reads and writes. */
export interface GraphNode extends Pick<PlanNode, "id" | "tools" | "model"> {
  readonly title: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** The events of a run, by `type`. */
export type AgentEventBody =
  | {
      readonly type: "RunStarted";
      readonly prompt: string;
      readonly isResumed?: boolean;
      // The runtime always knows these; a run that another program recorded may lack them.
      /** The limits in force at the start, each in its own unit. A limit that is not among them is off. */
      readonly limits?: Policy["limits"];
      /** What the guardian may do: guide, advise or observe. */
      readonly mode?: Policy["mode"];
      /** The name of the policy, such as `default`. */
      readonly preset?: string;
      /** Whether a user watches the run and can be asked. */
      readonly isAttended?: boolean;
      /** The first model of the run's list of models, and its provider. */
      readonly model?: string;
      readonly provider?: string;
      /** Absent: the context has no limit. */
      readonly maxContextTokens?: number;
      /** What the run was started with, for the process that resumes it. */
      readonly spec?: RunSpec;
    }
  /** What the user says to a running run, when it becomes part of the conversation. */
  | { readonly type: "UserMessage"; readonly text: string }
  | { readonly type: "StateChanged"; readonly state: RunState }
  | { readonly type: "TurnStarted"; readonly turn: number }
  | { readonly type: "TextDelta"; readonly text: string }
  | { readonly type: "ThinkingDelta"; readonly text: string }
  | { readonly type: "ToolUseStart"; readonly callId: string; readonly tool: string }
  | { readonly type: "ToolInputDelta"; readonly callId: string; readonly text: string }
  /** An attempt to get a reply is sent, for whatever purpose. It is only published. */
  | {
      readonly type: "RequestStarted";
      readonly requestId: string;
      readonly model: string;
      /** The provider as its package names it, such as `anthropic.messages`. */
      readonly provider: string;
      /** Absent for the request of a turn. */
      readonly purpose?: RequestPurpose;
      /** 1, and more for retries. */
      readonly attempt: number;
      readonly isStreamed: boolean;
      readonly maxOutputTokens: number;
      /** Only if the setting `requestContent` is on: the system text and the newest messages. */
      readonly system?: string;
      readonly messages?: readonly Message[];
    }
  /** The attempt is over; exactly one for each `RequestStarted`. What it used and cost comes before. Only published. */
  | {
      readonly type: "RequestEnded";
      readonly requestId: string;
      readonly model: string;
      /** The provider as its package names it, such as `anthropic.messages`. */
      readonly provider: string;
      /** Absent for the request of a turn. */
      readonly purpose?: RequestPurpose;
      readonly ms: number;
      /** How the reply ended; absent if the attempt failed. */
      readonly stop?: ReplyStop;
      /** Why the attempt failed. */
      readonly failure?: FailureKind;
      readonly problem?: string;
      /** Absent if it failed before the first part of a reply. */
      readonly usage?: Usage;
      /** From the request to the first part of the reply. */
      readonly firstPartMs?: number;
      /** As the provider names them. */
      readonly responseId?: string;
      readonly responseModel?: string;
      /** The parts of the reply. Only if the setting `requestContent` is on. */
      readonly parts?: readonly ReplyPart[];
    }
  /** Exactly one for each stream, however it ends. */
  | {
      readonly type: "StreamEnd";
      readonly isComplete: boolean;
      readonly problem?: string;
      /** The text and the thinking of the reply, without what was cut off. Absent if empty, or if the stream failed. */
      readonly text?: string;
      readonly thinking?: string;
    }
  /** A request failed and is sent again after a wait, or at once to the next model. The wait counts as run time. */
  | {
      readonly type: "ProviderRetry";
      /** The number of the next attempt. */
      readonly attempt: number;
      readonly waitMs: number;
      /** The kind of failure whose end is waited for. */
      readonly waitingFor: FailureKind;
      /** When the request failed for the first time, in milliseconds since 1970. */
      readonly since: number;
      readonly problem: string;
      readonly model: string;
    }
  /** Something unusual about a reply that did not fail, such as a stream without an end or a reply that is too long. */
  | { readonly type: "ProviderWarning"; readonly model: string; readonly problem: string }
  /** A guard of the runtime's options threw an error, and is not asked again in this run. */
  | { readonly type: "GuardFailed"; readonly problem: string }
  | {
      readonly type: "ToolStart";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      /** Of a call that asks the user: when it continues without an answer, in milliseconds since 1970. */
      readonly answerBy?: number;
      /** What the call does to the world, as its tool declares or its words tell. */
      readonly kind?: ToolKind;
    }
  /** New output of a running call. It is only published: `ToolEnd` has the whole result. */
  | { readonly type: "ToolOutput"; readonly callId: string; readonly text: string }
  | {
      readonly type: "ToolEnd";
      readonly callId: string;
      readonly tool: string;
      readonly status: string;
      readonly content: string;
      readonly ms: number;
      readonly details?: unknown;
      /** Only of a call that did not start in this process, and so may have no `ToolStart`. */
      readonly input?: unknown;
    }
  | {
      readonly type: "ToolBlocked";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      readonly by: "guardian" | "guard" | "gate";
      readonly message: string;
    }
  | {
      readonly type: "GateDecision";
      readonly callId: string;
      readonly tool: string;
      readonly tier: number;
      readonly decision: "allow" | "ask" | "deny";
      readonly reason: string;
      /** The principles that are not fine. */
      readonly principles?: readonly {
        readonly principle: string;
        readonly verdict: string;
        readonly reason: string;
      }[];
      readonly patterns?: readonly string[];
      readonly paths?: readonly { readonly path: string; readonly access: string; readonly location: string }[];
      /** If it is allowed, it runs outside the sandbox. */
      readonly leavesSandbox?: true;
      /** The rule of the configuration that decided. */
      readonly rule?: string;
      /** Ids of the lessons that were considered. */
      readonly lessons?: readonly string[];
      readonly reasoning?: GateReasoning;
    }
  | {
      readonly type: "ApprovalRequested";
      readonly callId: string;
      readonly tool: string;
      readonly reason: string;
      readonly input: unknown;
      /** When the run continues without an answer, in milliseconds since 1970. Absent: it waits without limit. */
      readonly answerBy?: number;
    }
  | {
      readonly type: "ApprovalResolved";
      readonly callId: string;
      readonly isAllowed: boolean;
      readonly reason?: string;
      readonly by?: AnsweredBy;
    }
  /** What the user typed about a call, or the harm it did, became a lesson. */
  | { readonly type: "LessonLearned"; readonly action: string; readonly rule: string }
  /** The user is asked how the run continues; exactly one QuestionAnswered follows, unless the process crashes. */
  | {
      readonly type: "QuestionAsked";
      readonly question: RunQuestion;
      /** When the run continues without an answer, in milliseconds since 1970. Absent: it waits without limit. */
      readonly answerBy?: number;
    }
  | {
      readonly type: "QuestionAnswered";
      readonly questionId: string;
      /** `stop`: also if the run was cancelled. `none`: there was no answer, so the intervention took effect. */
      readonly answer: RunAnswer["type"] | "none";
      /** The message of `tell`. */
      readonly text?: string;
      readonly by?: AnsweredBy;
    }
  | { readonly type: "TurnComplete"; readonly turn: number }
  | {
      readonly type: "UsageUpdate";
      readonly usage: Usage;
      readonly total: Usage;
      /** Absent for the request of a turn. */
      readonly purpose?: RequestPurpose;
    }
  | {
      readonly type: "CostEvent";
      readonly model: string;
      readonly costNanoUsd: number | null;
      readonly totalNanoUsd: number | null;
      /** Absent for the request of a turn. */
      readonly purpose?: RequestPurpose;
    }
  | { readonly type: "ContextCompacted"; readonly before: number; readonly after: number; readonly strategy: string }
  | { readonly type: "MemoryFlushed"; readonly facts: number }
  | { readonly type: "Checkpointed"; readonly turn: number }
  | { readonly type: "GuardianIntervention"; readonly intervention: Intervention }
  | { readonly type: "GuardianHint"; readonly intervention: Intervention }
  | { readonly type: "GuardianDoomLoop"; readonly intervention: Intervention }
  | { readonly type: "GuardianStall"; readonly intervention: Intervention }
  | { readonly type: "GuardianBudgetAlert"; readonly intervention: Intervention }
  | { readonly type: "GuardianRecovered"; readonly episode: string }
  /** A second opinion is wanted; exactly one OpinionGiven follows, unless the process crashes. */
  | { readonly type: "OpinionAsked"; readonly request: OpinionRequest }
  | {
      readonly type: "OpinionGiven";
      /** The id of the request. */
      readonly request: string;
      readonly verdict: SignalOf<"opinion">["verdict"];
      readonly advice?: string;
      readonly model?: string;
      readonly costNanoUsd?: number | null;
      /** Why no model was asked. */
      readonly skipped?: string;
      /** Why the model gave no answer. */
      readonly problem?: string;
    }
  /** The user muted the guardian for a detector, a tool, a call or an episode. */
  | {
      readonly type: "GuardianMuted";
      readonly detector?: DetectorName;
      readonly tool?: string;
      readonly call?: string;
      readonly episode?: string;
    }
  /** The user lifted mutes: the guardian acts again on what was muted. */
  | {
      readonly type: "GuardianUnmuted";
      readonly detector?: DetectorName;
      readonly tool?: string;
      readonly call?: string;
      readonly episode?: string;
    }
  /** The user changed a limit, in the limit's own unit; 0 removes it. */
  | { readonly type: "LimitChanged"; readonly limit: LimitName; readonly warn?: number; readonly stop?: number }
  /** Other requests hold the rest of a budget: the reservation is tried again after a wait. It counts as run time. */
  | {
      readonly type: "BudgetWait";
      readonly limit: LimitName;
      /** What the other requests hold, in the limit's own unit. */
      readonly reserved: number;
      readonly waitMs: number;
    }
  | { readonly type: "BudgetWarning"; readonly intervention: Intervention }
  | { readonly type: "BudgetExceeded"; readonly intervention: Intervention }
  | ({ readonly type: "GoalEvaluated" } & GoalEvaluation)
  | {
      readonly type: "JudgeVerdict";
      readonly verdict: Verdict["type"];
      /** The hint or the reason; of an accept, what is not met or not respected all the same. */
      readonly reason?: string;
      /** The model that judged; absent when rules decided. */
      readonly model?: string;
      readonly costNanoUsd?: number | null;
      /** Why the model gave no verdict, or was not asked. */
      readonly problem?: string;
    }
  /** The director made a plan. `cycle`: the number of plans that this run has executed before. */
  | {
      readonly type: "GraphGenerated";
      readonly cycle: number;
      readonly nodes: readonly GraphNode[];
      readonly edges: readonly PlanEdge[];
      /** Ids of nodes that succeeded under an earlier plan: they are not executed again. */
      readonly kept: readonly string[];
      /** The plan is continued after a crash. */
      readonly isResumed?: true;
    }
  /** A plan that cannot be executed. */
  | { readonly type: "GraphRejected"; readonly problems: readonly string[] }
  | {
      readonly type: "NodeStarted";
      readonly nodeId: string;
      readonly childId: string;
      /** The call that executes the plan. */
      readonly callId?: string;
      readonly isResumed?: true;
    }
  /** A node ended. `skipped`: no edge to it was taken. `blocked`: a node before it failed. */
  | {
      readonly type: "NodeComplete";
      readonly nodeId: string;
      readonly status: NodeStatus;
      /** The session of its run; absent if it had none. */
      readonly childId?: string;
      readonly reason?: Reason;
      /** Including its subagents, unless it ended in an earlier process; null when a price is unknown. */
      readonly costNanoUsd?: number | null;
      /** Why it failed, or did not run. */
      readonly problem?: string;
      /** It ended in an earlier process, before the plan was resumed. */
      readonly isEarlier?: true;
    }
  /** A plan failed, and the director changes it. `cycle`: the number of plans of this run that have failed. */
  | {
      readonly type: "EvolutionTriggered";
      readonly cycle: number;
      readonly maxCycles: number;
      readonly diagnosis: string;
      readonly failed: readonly string[];
    }
  | {
      readonly type: "ChildStarted";
      readonly childId: string;
      readonly task: string;
      readonly depth: number;
      /** The call that started it. */
      readonly callId?: string;
    }
  | { readonly type: "ChildComplete"; readonly childId: string; readonly reason: Reason }
  | { readonly type: "RunComplete"; readonly result: RunResult }
  | { readonly type: "RunError"; readonly result: RunResult };

/** A published event: numbered within its session, with its time and run. */
export type AgentEvent = AgentEventBody & {
  readonly seq: number;
  readonly at: number;
  readonly sessionId: string;
  readonly runId: string;
  readonly severity: Severity;
};

export type AgentEventType = AgentEventBody["type"];

/** Publishes an event of the current run. */
export type Emit = (event: AgentEventBody) => void;
