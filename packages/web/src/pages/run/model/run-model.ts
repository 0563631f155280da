import type { WireEvent } from "../../../contract/index.ts";
import type { Call } from "./call.ts";
import type { Item } from "./item.ts";
import { noteOf } from "./note-text.ts";
import { createRunCalls } from "./run-calls.ts";

/** A value at a time. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** What the events of a run say, for lanes and story. It grows with the run; nothing in it is computed twice. */
export interface RunModel {
  readonly events: readonly WireEvent[];
  readonly items: readonly Item[];
  readonly calls: readonly Call[];
  readonly callById: ReadonlyMap<string, Call>;
  /** What the run has spent, in dollars. */
  readonly costs: readonly Point[];
  readonly hasUnknownPrice: boolean;
  /** The size of the context, in tokens. */
  readonly context: readonly Point[];
  readonly compactions: number;
  /** The limit of the run's cost in force, in dollars; null if there is none. */
  readonly limitUsd: number | null;
  readonly turns: number;
  readonly failures: number;
  readonly startedAt: number | null;
  readonly lastAt: number | null;
  readonly isEnded: boolean;
  readonly lastSeq: number;
}

/** A model that takes events. */
export interface GrowingRunModel extends RunModel {
  /** Takes the next saved events of the run; those that are known already are left out. */
  add(events: readonly WireEvent[]): void;
}

/** Creates the model of a run without events. */
export function createRunModel(): GrowingRunModel {
  const events: WireEvent[] = [];
  const items: Item[] = [];
  const costs: Point[] = [];
  const context: Point[] = [];
  const interventionOfQuestion = new Map<string, string>();
  /** Interventions that cut a reply off: they come before the event that has its text. */
  let held: Item[] = [];
  let toldText: string | undefined;
  const state = {
    hasUnknownPrice: false,
    compactions: 0,
    limitUsd: null as number | null,
    turns: 0,
    startedAt: null as number | null,
    lastAt: null as number | null,
    isEnded: false,
    lastSeq: 0,
  };
  let turn = 0;

  const costUsd = () => costs.at(-1)?.value ?? null;
  const push = (item: Item) => items.push(item);
  const runCalls = createRunCalls(items);

  const addText = (type: "text" | "thinking", event: WireEvent, text: string | undefined) => {
    if (text === undefined || text.trim() === "") return;
    const length = event.cut?.[type] ?? text.length;
    push({ type, seq: event.seq, at: event.at, turn, text, length });
  };

  const addEvent = (event: WireEvent) => {
    const { seq, at } = event;
    switch (event.type) {
      case "RunStarted":
        state.isEnded = false;
        state.limitUsd = usdLimit(event.limits?.["run-cost"]?.stop);
        push({ type: "prompt", seq, at, turn, text: event.prompt, isResumed: event.isResumed ?? false });
        return;
      case "TurnStarted":
        turn = event.turn + 1; // events have the number of turns before it
        state.turns = Math.max(state.turns, turn);
        return;
      case "StreamEnd":
        addText("thinking", event, event.thinking);
        addText("text", event, event.text);
        for (const item of held) push(item);
        held = [];
        return;
      case "UserMessage":
        if (event.text !== toldText) push({ type: "said", seq, at, turn, text: event.text });
        toldText = undefined;
        return;
      case "ToolStart":
        runCalls.start(event, turn);
        return;
      case "ToolEnd":
        runCalls.end(event, turn);
        return;
      case "ToolBlocked":
        runCalls.refuse(event, turn);
        return;
      case "UsageUpdate":
        if (event.purpose === undefined) context.push({ at, value: event.usage.input + event.usage.output });
        return;
      case "CostEvent":
        if (event.totalNanoUsd === null) state.hasUnknownPrice = true;
        else costs.push({ at, value: event.totalNanoUsd / 1e9 });
        return;
      case "ContextCompacted":
        state.compactions += 1;
        context.push({ at, value: event.before }, { at, value: event.after });
        break;
      case "LimitChanged":
        if (event.limit === "run-cost") state.limitUsd = usdLimit(event.stop);
        break;
      case "GuardianIntervention": {
        const { intervention } = event;
        const item: Item = { type: "guardian", seq, at, turn, intervention, costUsd: costUsd() };
        if (intervention.surplus === undefined) push(item);
        else held.push(item);
        return;
      }
      case "GuardianRecovered":
        push({ type: "recovered", seq, at, turn, episode: event.episode });
        return;
      case "QuestionAsked":
        interventionOfQuestion.set(event.question.id, event.question.intervention.id);
        return;
      case "QuestionAnswered":
        toldText = event.text;
        push({
          type: "answer",
          seq,
          at,
          turn,
          answer: event.answer,
          text: event.text ?? null,
          interventionId: interventionOfQuestion.get(event.questionId) ?? null,
          costUsd: costUsd(),
        });
        return;
      case "GuardianMuted":
      case "GuardianUnmuted": {
        const about = event.episode !== undefined ? "this loop" : (event.detector ?? event.tool ?? "a call");
        const isMuted = event.type === "GuardianMuted";
        const text = isMuted ? `You muted the guardian for ${about}.` : `You lifted the mute of ${about}.`;
        push({ type: "muted", seq, at, turn, text, episode: event.episode ?? null, costUsd: costUsd() });
        return;
      }
      case "OpinionGiven":
        push({ type: "opinion", seq, at, turn, opinion: event });
        return;
      case "JudgeVerdict":
        push({ type: "verdict", seq, at, turn, verdict: event });
        return;
      case "ChildStarted":
        push({ type: "subagent", seq, at, turn, childId: event.childId, text: event.task, isEnd: false });
        return;
      case "ChildComplete":
        push({ type: "subagent", seq, at, turn, childId: event.childId, text: event.reason, isEnd: true });
        return;
      case "RunComplete":
      case "RunError":
        state.isEnded = true;
        push({ type: "end", seq, at, turn, result: event.result });
        return;
      default:
        break;
    }
    const note = noteOf(event);
    if (note !== undefined) push({ type: "note", seq, at, turn, ...note });
  };

  const add = (more: readonly WireEvent[]) => {
    for (const event of more) {
      if (event.seq <= state.lastSeq) continue;
      state.lastSeq = event.seq;
      state.startedAt ??= event.at;
      state.lastAt = Math.max(state.lastAt ?? 0, event.at);
      events.push(event);
      addEvent(event);
    }
  };

  return {
    ...{ events, items, calls: runCalls.calls, callById: runCalls.callById, costs, context, add },
    get hasUnknownPrice() {
      return state.hasUnknownPrice;
    },
    get compactions() {
      return state.compactions;
    },
    get limitUsd() {
      return state.limitUsd;
    },
    get turns() {
      return state.turns;
    },
    get failures() {
      return runCalls.failures;
    },
    get startedAt() {
      return state.startedAt;
    },
    get lastAt() {
      return state.lastAt;
    },
    get isEnded() {
      return state.isEnded;
    },
    get lastSeq() {
      return state.lastSeq;
    },
  };
}

/** A limit of money in dollars; 0 is none. */
function usdLimit(nanoUsd: number | undefined): number | null {
  return nanoUsd === undefined || nanoUsd === 0 ? null : nanoUsd / 1e9;
}

/** The value of a growing series at a time; null before its first point. */
export function valueAt(points: readonly Point[], at: number): number | null {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return points[low - 1]?.value ?? null;
}
