import type { AgentEvent, RunQuestion, RunResult } from "@sheepdog/agent";
import type { Intervention, Level, Policy, ToolKind } from "@sheepdog/guardian";

/** The events of a type. */
export type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

/** A call of a run. */
export interface TraceCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly kind: ToolKind | undefined;
  readonly turn: number;
  readonly seq: number;
  readonly startedAt: number;
  /** Of a call that asks the user: when it continues without an answer. */
  readonly answerBy: number | undefined;
  endedAt?: number;
  endSeq?: number;
  /** Absent while it runs; `refused` if it did not run. */
  status?: string;
  content?: string;
  refusedBy?: EventOf<"ToolBlocked">["by"];
}

/** An intervention with when it happened and what the run had spent by then. */
export interface TraceIntervention {
  readonly intervention: Intervention;
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
  readonly spentNanoUsd: number | null;
}

/** A question about the run, and its answer. */
export interface TraceQuestion {
  readonly question: RunQuestion;
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
  readonly answerBy: number | undefined;
  answer?: EventOf<"QuestionAnswered">;
}

/** A question whether a call may run, and its answer. */
export interface TraceApproval {
  readonly event: EventOf<"ApprovalRequested">;
  readonly turn: number;
  readonly answerBy: number | undefined;
  answer?: EventOf<"ApprovalResolved">;
}

/** A second opinion about an episode. */
export interface TraceOpinion {
  readonly episode: string;
  /** The level that waited for it. */
  readonly level: Level | undefined;
  readonly event: EventOf<"OpinionGiven">;
}

/** Everything that views need of the events of a run, collected in one pass. */
export interface RunTrace {
  /** The newest start: a resumed run has several. */
  readonly start: EventOf<"RunStarted"> | undefined;
  readonly end: { readonly at: number; readonly seq: number; readonly result: RunResult } | undefined;
  readonly lastAt: number | undefined;
  /** The number of the last turn, from 1; 0 before the first. All turns here count from 1. */
  readonly turn: number;
  /** The run's own spending after each request; null from the first request without a price on. */
  readonly costs: readonly { readonly at: number; readonly nanoUsd: number | null }[];
  readonly calls: ReadonlyMap<string, TraceCall>;
  readonly interventions: readonly TraceIntervention[];
  readonly recovered: ReadonlyMap<string, EventOf<"GuardianRecovered">>;
  /** The second opinions, each with the episode and the level that it was asked about. */
  readonly opinions: readonly TraceOpinion[];
  readonly questions: readonly TraceQuestion[];
  readonly approvals: readonly TraceApproval[];
  readonly decisions: ReadonlyMap<string, EventOf<"GateDecision">>;
  /** The limits in force at the end: those of the start with all changes. */
  readonly limits: Policy["limits"];
  readonly verdict: EventOf<"JudgeVerdict"> | undefined;
  /** The last text of the agent. */
  readonly lastWords: string | undefined;
  /** The retry that the run waits for, if that is the newest that happened. */
  readonly retry: EventOf<"ProviderRetry"> | undefined;
}

/** What a run had spent at a time; null if a price is unknown, 0 before the first request. */
export function spentAt(costs: RunTrace["costs"], at: number): number | null {
  let [low, high] = [0, costs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((costs[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : (costs[low - 1]?.nanoUsd ?? null);
}

/** What waits for the user in a live run: questions, approvals, and calls that ask the user. */
export function openRequests(trace: RunTrace): {
  readonly questions: readonly TraceQuestion[];
  readonly approvals: readonly TraceApproval[];
  readonly replies: readonly TraceCall[];
} {
  if (trace.end !== undefined) return { questions: [], approvals: [], replies: [] };
  return {
    questions: trace.questions.filter(({ answer }) => answer === undefined).slice(-1),
    approvals: trace.approvals.filter(
      ({ answer, event }) => answer === undefined && trace.calls.get(event.callId)?.status === undefined,
    ),
    replies: [...trace.calls.values()].filter(({ tool, status }) => tool === "ask_user" && status === undefined),
  };
}

/** The calls that run now. */
export function runningCalls(trace: RunTrace): readonly TraceCall[] {
  return [...trace.calls.values()].filter(({ status }) => status === undefined);
}
