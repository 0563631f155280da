import type { AgentEvent } from "../protocol/events.ts";
import { eventNote } from "./event-note.ts";
import type { CallItem, Item, ItemStart, OpinionItem, VerdictItem } from "./item.ts";
import { planNote } from "./plan-note.ts";

/** The unfinished part of a run: the text that streams and the calls that are running. */
export interface LiveState {
  readonly turn: number;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly CallItem[];
}

/** Combines the events of a run into timeline items. */
export interface LiveItems {
  /** Returns the items that this event completes; each item is returned once. */
  add(event: AgentEvent): readonly Item[];
  readonly live: LiveState;
}

/** Characters of a running call's output: enough for the lines that a screen shows. */
const MAX_OUTPUT_CHARS = 4_096;

/** Creates an empty timeline. It also works without deltas: the end of a stream has the whole text. */
export function createLiveItems(): LiveItems {
  let turn = 0;
  let text = "";
  let thinking = "";
  /** Interventions that cut off a stream. They are shown after its text. */
  let heldItems: Item[] = [];
  const calls = new Map<string, CallItem>();
  const questions = new Map<string, Pick<OpinionItem, "seq" | "at" | "turn" | "question">>();
  /** Messages to the agent that the answer to a question already shows. */
  const toldTexts = new Set<string>();

  /** The text of the reply. Of a stream that failed, it is what was streamed. */
  const takeText = (event: AgentEvent): Item[] => {
    const kept: Pick<StreamEnd, "text" | "thinking"> = event.type === "StreamEnd" ? event : {};
    const texts = [
      { type: "thinking", turn, text: kept.thinking ?? thinking, ...startOf(event) },
      { type: "text", turn, text: kept.text ?? text, ...startOf(event) },
    ] as const;
    const items = [...texts.filter((item) => item.text.trim() !== ""), ...heldItems];
    text = "";
    thinking = "";
    heldItems = [];
    return items;
  };
  const finish = (
    event: CallEnd,
    end: Pick<CallItem, "status" | "content" | "blockedBy" | "ms" | "details">,
  ): Item[] => {
    const { callId, tool, input } = event;
    const started = calls.get(callId);
    calls.delete(callId);
    return [{ type: "call", callId, turn, tool, input, ...startOf(event), ...withoutOutput(started), ...end }];
  };

  const add = (event: AgentEvent): readonly Item[] => {
    switch (event.type) {
      case "RunStarted":
        return [{ type: "prompt", text: event.prompt, isResumed: event.isResumed ?? false, ...startOf(event) }];
      case "TurnStarted": {
        const items = takeText(event);
        turn = event.turn;
        return items;
      }
      case "TextDelta":
        text += event.text;
        return [];
      case "ThinkingDelta":
        thinking += event.text;
        return [];
      case "StreamEnd":
        return takeText(event);
      case "ToolStart": {
        const { callId, tool, input, kind } = event;
        const call = { type: "call", callId, turn, tool, input, ...startOf(event) } as const;
        calls.set(callId, kind === undefined ? call : { ...call, kind });
        return [];
      }
      case "ToolOutput": {
        const call = calls.get(event.callId);
        const output = `${call?.output ?? ""}${event.text}`.slice(-MAX_OUTPUT_CHARS);
        if (call !== undefined) calls.set(event.callId, { ...call, output });
        return [];
      }
      case "ToolEnd": {
        const { status, content, ms, details } = event;
        return finish(event, { status, content, ms, ...(details === undefined ? {} : { details }) });
      }
      case "ToolBlocked":
        return finish(event, { status: "blocked", content: event.message, blockedBy: event.by });
      case "GuardianIntervention": {
        const { intervention } = event;
        const item: Item = { type: "guardian", turn, intervention, ...startOf(event) };
        if (intervention.surplus === undefined) return [item];
        heldItems.push(item);
        return [];
      }
      case "OpinionAsked":
        questions.set(event.request.id, { turn, question: event.request.fact, ...startOf(event) });
        return [];
      case "OpinionGiven":
        return [{ ...(questions.get(event.request) ?? { turn, ...startOf(event) }), ...opinionOf(event) }];
      case "JudgeVerdict":
        return [verdictOf(event, turn)];
      case "GoalEvaluated": {
        const { score, threshold, criteria, constraints } = event;
        return [{ type: "goal", turn, score, threshold, criteria, constraints, ...startOf(event) }];
      }
      case "GuardianRecovered":
        return [{ type: "recovered", turn, episode: event.episode, ...startOf(event) }];
      case "RunComplete":
      case "RunError": {
        const unfinished = [...calls.values()];
        calls.clear();
        return [...takeText(event), ...unfinished, { type: "end", result: event.result, ...startOf(event) }];
      }
      case "UserMessage":
        if (toldTexts.delete(event.text)) return [];
        return [{ type: "note", turn, severity: "info", text: `You said: ${event.text}`, ...startOf(event) }];
      default: {
        if (event.type === "QuestionAnswered" && event.text !== undefined) toldTexts.add(event.text);
        const note = planNote(event, turn) ?? eventNote(event, turn);
        return note === undefined ? [] : [note];
      }
    }
  };

  return {
    add,
    get live() {
      return { turn, text, thinking, calls: [...calls.values()] };
    },
  };
}

type StreamEnd = Extract<AgentEvent, { readonly type: "StreamEnd" }>;
type CallEnd = Extract<AgentEvent, { readonly type: "ToolEnd" | "ToolBlocked" }>;

function startOf({ seq, at }: ItemStart): ItemStart {
  return { seq, at };
}

/** The start of a call; its output is part of the result now. */
function withoutOutput(call: CallItem | undefined): Partial<CallItem> {
  if (call === undefined) return {};
  const { output: _, ...started } = call;
  return started;
}

function verdictOf(event: Extract<AgentEvent, { type: "JudgeVerdict" }>, turn: number): VerdictItem {
  const { sessionId: _session, runId: _run, severity: _severity, ...verdict } = event;
  return { ...verdict, type: "verdict", turn };
}

function opinionOf(event: Extract<AgentEvent, { type: "OpinionGiven" }>): Omit<OpinionItem, "turn" | "seq" | "at"> {
  const { sessionId: _session, runId: _run, severity: _severity, seq: _seq, at: _at, request: _id, ...opinion } = event;
  return { ...opinion, type: "opinion" };
}
