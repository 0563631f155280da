import type { AgentEvent, RunQuestion, RunResult } from "@sheepdog/agent";
import {
  episodeOf,
  type Intervention,
  type Level,
  type LimitName,
  type Policy,
  type ToolKind,
} from "@sheepdog/guardian";

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

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

type Draft = { -readonly [Key in keyof RunTrace]: RunTrace[Key] } & {
  readonly costs: { at: number; nanoUsd: number | null }[];
  readonly calls: Map<string, TraceCall>;
  readonly interventions: TraceIntervention[];
  readonly recovered: Map<string, EventOf<"GuardianRecovered">>;
  readonly opinions: TraceOpinion[];
  readonly asked: Map<string, Level>;
  readonly questions: TraceQuestion[];
  readonly approvals: TraceApproval[];
  readonly decisions: Map<string, EventOf<"GateDecision">>;
};

/** Reads the events of one run, in order. */
export function readTrace(events: readonly AgentEvent[]): RunTrace {
  const draft: Draft = {
    start: undefined,
    end: undefined,
    lastAt: undefined,
    turn: 0,
    costs: [],
    calls: new Map(),
    interventions: [],
    recovered: new Map(),
    opinions: [],
    asked: new Map(),
    questions: [],
    approvals: [],
    decisions: new Map(),
    limits: {},
    verdict: undefined,
    lastWords: undefined,
    retry: undefined,
  };
  for (const event of events) {
    draft.lastAt = event.at;
    if (event.type !== "ProviderRetry" && event.type !== "StateChanged") draft.retry = undefined;
    addEvent(draft, event);
  }
  return draft;
}

function addEvent(draft: Draft, event: AgentEvent): void {
  const { at, seq } = event;
  switch (event.type) {
    case "RunStarted":
      begin(draft, event);
      return;
    case "TurnStarted":
      draft.turn = event.turn + 1; // the event has the number of turns before it
      return;
    case "StreamEnd":
      draft.lastWords = event.text ?? draft.lastWords;
      return;
    case "CostEvent":
      draft.costs.push({ at, nanoUsd: event.totalNanoUsd });
      return;
    case "ToolStart":
    case "ToolBlocked":
    case "ToolEnd":
      addCall(draft, event);
      return;
    case "GuardianIntervention": {
      const { intervention } = event;
      if (draft.interventions.some((earlier) => earlier.intervention.id === intervention.id)) return; // asked again
      draft.interventions.push({ intervention, seq, at, turn: draft.turn, spentNanoUsd: spentAt(draft.costs, at) });
      return;
    }
    case "GuardianRecovered":
      draft.recovered.set(event.episode, event);
      return;
    case "OpinionAsked":
      draft.asked.set(event.request.id, event.request.level);
      return;
    case "OpinionGiven":
      draft.opinions.push({ episode: episodeOf(event.request), level: draft.asked.get(event.request), event });
      return;
    case "QuestionAsked":
      draft.questions.push({ question: event.question, seq, at, turn: draft.turn, answerBy: event.answerBy });
      return;
    case "QuestionAnswered": {
      const asked = draft.questions.findLast(({ question }) => question.id === event.questionId);
      if (asked !== undefined) asked.answer = event;
      return;
    }
    case "ApprovalRequested":
      draft.approvals.push({ event, turn: draft.turn, answerBy: event.answerBy });
      return;
    case "ApprovalResolved": {
      const asked = draft.approvals.findLast(({ event: { callId } }) => callId === event.callId);
      if (asked !== undefined) asked.answer = event;
      return;
    }
    case "GateDecision":
      draft.decisions.set(event.callId, event);
      return;
    case "LimitChanged":
      draft.limits = withLimit(draft.limits, event);
      return;
    case "JudgeVerdict":
      draft.verdict = event;
      return;
    case "ProviderRetry":
      draft.retry = event;
      return;
    case "RunComplete":
    case "RunError":
      draft.end = { at, seq, result: event.result };
      return;
    default:
      return;
  }
}

/** A resumed run asks again whatever it had asked, and starts its calls again. */
function begin(draft: Draft, event: EventOf<"RunStarted">): void {
  draft.start = event;
  draft.limits = event.limits ?? {};
  draft.end = undefined;
  draft.questions.splice(0, draft.questions.length, ...draft.questions.filter(({ answer }) => answer !== undefined));
  draft.approvals.splice(0, draft.approvals.length, ...draft.approvals.filter(({ answer }) => answer !== undefined));
  for (const call of draft.calls.values()) if (call.status === undefined) call.status = "interrupted";
}

function addCall(draft: Draft, event: EventOf<"ToolStart"> | EventOf<"ToolBlocked"> | EventOf<"ToolEnd">): void {
  const { callId, tool, input, at, seq } = event;
  const { kind, answerBy } = event.type === "ToolStart" ? event : {};
  const started = draft.calls.get(callId);
  const call: TraceCall = started ?? { callId, tool, input, kind, turn: draft.turn, seq, startedAt: at, answerBy };
  if (started === undefined) draft.calls.set(callId, call);
  if (event.type === "ToolStart") return;
  call.endedAt = at;
  call.endSeq = seq;
  call.status = event.type === "ToolEnd" ? event.status : "refused";
  call.content = event.type === "ToolEnd" ? event.content : event.message;
  if (event.type === "ToolBlocked") call.refusedBy = event.by;
}

function withLimit(
  limits: Policy["limits"],
  { limit, warn, stop }: { readonly limit: LimitName; readonly warn?: number; readonly stop?: number },
): Policy["limits"] {
  return {
    ...limits,
    [limit]: { ...limits[limit], ...(warn === undefined ? {} : { warn }), ...(stop === undefined ? {} : { stop }) },
  };
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
