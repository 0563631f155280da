import type { WireEvent } from "../../../contract/index.ts";
import { type Call, callText, kindOf, stableJson } from "./call.ts";
import type { Item } from "./item.ts";
import { noteOf } from "./note-text.ts";

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
  /**
   * Takes the next saved events of the run; those that are known already are left out. `liveText` is the text of the
   * current reply as far as it was seen live, for streams that end without a saved text.
   */
  add(events: readonly WireEvent[], liveText?: string): void;
}

/** Creates the model of a run without events. */
export function createRunModel(): GrowingRunModel {
  const events: WireEvent[] = [];
  const items: Item[] = [];
  const calls: Call[] = [];
  const callById = new Map<string, Call>();
  const itemOfCall = new Map<string, number>();
  const costs: Point[] = [];
  const context: Point[] = [];
  const interventionOfQuestion = new Map<string, string>();
  const texts = { text: newText(), thinking: newText() };
  const state = {
    hasUnknownPrice: false,
    compactions: 0,
    limitUsd: null as number | null,
    turns: 0,
    failures: 0,
    startedAt: null as number | null,
    lastAt: null as number | null,
    isEnded: false,
    lastSeq: 0,
  };
  let turn = 0;

  const costUsd = () => costs.at(-1)?.value ?? null;
  const push = (item: Item) => items.push(item);

  const flushTexts = (event: WireEvent, liveText: string) => {
    for (const type of ["thinking", "text"] as const) {
      const { text, seq, at, length } = texts[type];
      const whole = text === "" && type === "text" ? liveText : text;
      if (whole.trim() !== "")
        push({
          type,
          seq: seq === 0 ? event.seq : seq,
          at: at === 0 ? event.at : at,
          turn,
          text: whole,
          length: Math.max(length, whole.length),
        });
      texts[type] = newText();
    }
  };

  const addText = (type: "text" | "thinking", event: Extract<WireEvent, { type: "TextDelta" | "ThinkingDelta" }>) => {
    const before = texts[type];
    texts[type] = {
      text: before.text + event.text,
      seq: before.seq === 0 ? event.seq : before.seq,
      at: before.at === 0 ? event.at : before.at,
      length: before.length + (event.cut?.["text"] ?? event.text.length),
    };
  };

  const putCall = (call: Call) => {
    const index = call.number - 1;
    calls[index] = call;
    callById.set(call.callId, call);
    const item: Item = { type: "call", seq: call.seq, at: call.at, turn: call.turn, call };
    const place = itemOfCall.get(call.callId);
    if (place === undefined) itemOfCall.set(call.callId, push(item) - 1);
    else items[place] = item;
  };

  const newCall = (event: Extract<WireEvent, { type: "ToolStart" | "ToolEnd" | "ToolBlocked" }>): Call => {
    const input = "input" in event ? event.input : undefined;
    return {
      callId: event.callId,
      seq: event.seq,
      endSeq: null,
      number: calls.length + 1,
      turn,
      tool: event.tool,
      input,
      kind: kindOf(event.tool, input),
      text: callText(event.tool, input),
      key: `${event.tool} ${stableJson(input)}`,
      at: event.at,
      ms: null,
      status: null,
      content: "",
      isFailed: false,
      refusedBy: null,
      diff: null,
      isCut: event.cut !== undefined,
    };
  };

  const endCall = (event: Extract<WireEvent, { type: "ToolEnd" }>) => {
    const call = callById.get(event.callId) ?? { ...newCall(event), at: event.at - event.ms };
    if (call.refusedBy !== null) return; // the result repeats the refusal
    const isFailed = isFailure(event.status);
    if (isFailed) state.failures += 1;
    putCall({
      ...call,
      endSeq: event.seq,
      ms: event.ms,
      status: event.status,
      content: event.content,
      isFailed,
      refusedBy: event.status === "denied" ? "user" : null,
      diff: event.diff ?? null,
      isCut: call.isCut || event.cut !== undefined,
    });
  };

  const addEvent = (event: WireEvent, liveText: string) => {
    const { seq, at } = event;
    switch (event.type) {
      case "RunStarted":
        state.isEnded = false;
        if (event.maxCostNanoUsd !== undefined) state.limitUsd = event.maxCostNanoUsd / 1e9;
        push({ type: "prompt", seq, at, turn, text: event.prompt, isResumed: event.isResumed ?? false });
        return;
      case "TurnStarted":
        flushTexts(event, "");
        turn = event.turn + 1; // events have the number of turns before it
        state.turns = Math.max(state.turns, turn);
        return;
      case "TextDelta":
        addText("text", event);
        return;
      case "ThinkingDelta":
        addText("thinking", event);
        return;
      case "StreamEnd":
        flushTexts(event, liveText);
        return;
      case "ToolStart":
        if (!callById.has(event.callId)) putCall(newCall(event));
        return;
      case "ToolEnd":
        endCall(event);
        return;
      case "ToolBlocked": {
        const call = callById.get(event.callId) ?? newCall(event);
        putCall({ ...call, endSeq: seq, ms: 0, status: "blocked", content: event.message, refusedBy: event.by });
        return;
      }
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
        if (event.limit === "run-cost") state.limitUsd = (event.stop ?? 0) === 0 ? null : (event.stop ?? 0) / 1e9;
        break;
      case "GuardianIntervention":
        flushTexts(event, "");
        push({ type: "guardian", seq, at, turn, intervention: event.intervention, costUsd: costUsd() });
        return;
      case "GuardianRecovered":
        push({ type: "recovered", seq, at, turn, episode: event.episode });
        return;
      case "QuestionAsked":
        interventionOfQuestion.set(event.question.id, event.question.intervention.id);
        return;
      case "QuestionAnswered":
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
      case "GuardianMuted": {
        const about = event.episode !== undefined ? "this loop" : (event.detector ?? event.tool ?? "a call");
        const text = `You muted the guardian for ${about}.`;
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
        flushTexts(event, liveText);
        state.isEnded = true;
        push({ type: "end", seq, at, turn, result: event.result });
        return;
      default:
        break;
    }
    const note = noteOf(event);
    if (note !== undefined) push({ type: "note", seq, at, turn, ...note });
  };

  const add = (more: readonly WireEvent[], liveText = "") => {
    for (const event of more) {
      const isDelta = event.type === "TextDelta" || event.type === "ThinkingDelta";
      const isKnown = isDelta ? event.seq < state.lastSeq && event.seq > 0 : event.seq <= state.lastSeq;
      if (isKnown && event.seq > 0) continue;
      if (!isDelta) state.lastSeq = Math.max(state.lastSeq, event.seq);
      state.startedAt ??= event.at;
      state.lastAt = Math.max(state.lastAt ?? 0, event.at);
      events.push(event);
      addEvent(event, liveText);
    }
  };

  return {
    ...{ events, items, calls, callById, costs, context, add },
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
      return state.failures;
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

/** Whether a result counts as a failure. A refused or interrupted call did not fail by itself. */
export function isFailure(status: string): boolean {
  return !["ok", "denied", "blocked", "interrupted"].includes(status);
}

function newText(): { text: string; seq: number; at: number; length: number } {
  return { text: "", seq: 0, at: 0, length: 0 };
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
