import type { AgentEvent } from "@sheepdog/agent";
import { episodeOf, type Level, type LimitName, type Policy } from "@sheepdog/guardian";
import {
  type EventOf,
  type RunTrace,
  spentAt,
  type TraceApproval,
  type TraceCall,
  type TraceIntervention,
  type TraceOpinion,
  type TraceQuestion,
} from "./run-trace.ts";

/** A trace while its events are read. */
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

/** A trace that grows with the events of its run. */
export interface GrowingTrace {
  readonly trace: RunTrace;
  /** Adds the next event. */
  add(event: AgentEvent): void;
}

/** Reads the events of one run, in order. */
export function readTrace(events: readonly AgentEvent[]): RunTrace {
  const { trace, add } = createTrace();
  for (const event of events) add(event);
  return trace;
}

/** A trace without events. */
export function createTrace(): GrowingTrace {
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
  return {
    trace: draft,
    add(event) {
      draft.lastAt = event.at;
      if (event.type !== "ProviderRetry" && event.type !== "StateChanged") draft.retry = undefined;
      addEvent(draft, event);
    },
  };
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
