import type { AgentEvent } from "@sheepdog/agent";
import { eventNote } from "./event-note.ts";
import type { CallItem, Item, OpinionItem, VerdictItem } from "./item.ts";
import { appendOutput } from "./output-tail.ts";
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

/** Creates an empty timeline. */
export function createLiveItems(): LiveItems {
  let turn = 0;
  let text = "";
  let thinking = "";
  const calls = new Map<string, CallItem>();
  const questions = new Map<string, Pick<OpinionItem, "turn" | "question">>();

  const takeText = (): Item[] => {
    const items: Item[] = [];
    if (thinking.trim() !== "") items.push({ type: "thinking", turn, text: thinking });
    if (text.trim() !== "") items.push({ type: "text", turn, text });
    text = "";
    thinking = "";
    return items;
  };
  const finish = (callId: string, end: Omit<CallItem, "type" | "callId" | "turn">): Item[] => {
    const startedCall = calls.get(callId);
    calls.delete(callId);
    return [{ type: "call", callId, turn, ...end, input: startedCall?.input ?? end.input }];
  };

  const noteOf = (event: AgentEvent): readonly Item[] => {
    const note = planNote(event, turn) ?? eventNote(event, turn);
    return note === undefined ? [] : [...takeText(), note];
  };

  const add = (event: AgentEvent): readonly Item[] => {
    switch (event.type) {
      case "RunStarted":
        return [{ type: "prompt", text: event.prompt, isResumed: event.isResumed ?? false }];
      case "TurnStarted":
        turn = event.turn;
        return takeText();
      case "TextDelta":
        text += event.text;
        return [];
      case "ThinkingDelta":
        thinking += event.text;
        return [];
      case "StreamEnd":
        return takeText();
      case "ToolStart":
        calls.set(event.callId, { type: "call", callId: event.callId, turn, tool: event.tool, input: event.input });
        return [];
      case "ToolOutput": {
        const call = calls.get(event.callId);
        if (call !== undefined)
          calls.set(event.callId, { ...call, output: appendOutput(call.output ?? "", event.text) });
        return [];
      }
      case "ToolEnd":
        return finish(event.callId, {
          tool: event.tool,
          input: undefined,
          status: event.status,
          content: event.content,
          ms: event.ms,
          ...(event.details === undefined ? {} : { details: event.details }),
        });
      case "ToolBlocked":
        return finish(event.callId, {
          tool: event.tool,
          input: event.input,
          status: "blocked",
          content: event.message,
          blockedBy: event.by,
        });
      case "GuardianIntervention":
        return [...takeText(), { type: "guardian", turn, intervention: event.intervention }];
      case "OpinionAsked":
        questions.set(event.request.id, { turn, question: event.request.fact });
        return [];
      case "OpinionGiven":
        return [{ ...(questions.get(event.request) ?? { turn }), ...opinionOf(event) }];
      case "JudgeVerdict":
        return [...takeText(), verdictOf(event, turn)];
      case "GoalEvaluated": {
        const { score, threshold, criteria, constraints } = event;
        return [...takeText(), { type: "goal", turn, score, threshold, criteria, constraints }];
      }
      case "GuardianRecovered":
        return [{ type: "recovered", turn, episode: event.episode }];
      case "RunComplete":
      case "RunError":
        return [...takeText(), { type: "end", result: event.result }];
      default:
        return noteOf(event);
    }
  };

  return {
    add,
    get live() {
      return { turn, text, thinking, calls: [...calls.values()] };
    },
  };
}

function verdictOf(event: Extract<AgentEvent, { type: "JudgeVerdict" }>, turn: number): VerdictItem {
  const { verdict, reason, model, costNanoUsd, problem } = event;
  return {
    type: "verdict",
    turn,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(model === undefined ? {} : { model }),
    ...(costNanoUsd === undefined ? {} : { costNanoUsd }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function opinionOf(event: Extract<AgentEvent, { type: "OpinionGiven" }>): Omit<OpinionItem, "turn"> {
  const { verdict, advice, model, costNanoUsd, skipped, problem } = event;
  return {
    type: "opinion",
    verdict,
    ...(advice === undefined ? {} : { advice }),
    ...(model === undefined ? {} : { model }),
    ...(costNanoUsd === undefined ? {} : { costNanoUsd }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(problem === undefined ? {} : { problem }),
  };
}
