import type { AgentEvent } from "@sheepdog/agent";
import type { RecordedOpinion } from "@sheepdog/records";

/** A turn of a saved run, as its events tell it. */
export interface SavedTurn {
  readonly turn: number;
  readonly at: number;
  /** When each call of the turn started, or was refused. */
  readonly callTimes: ReadonlyMap<string, number>;
  /** Calls that the guardian refused. */
  readonly refusedCalls: ReadonlySet<string>;
  /** All requests of the turn, those for summaries and opinions included; undefined if no price is known. */
  readonly costNanoUsd: number | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Second opinions that were given before the calls of this turn and after those of the turn before. */
  readonly opinions: readonly RecordedOpinion[];
}

/** The turns of one run from its events, in order. What happened before the first turn belongs to the first one. */
export function savedTurns(events: readonly AgentEvent[]): readonly SavedTurn[] {
  const turns: OpenTurn[] = [];
  let current = openTurn(0, 0);
  let laterOpinions: RecordedOpinion[] = [];
  for (const event of events) {
    switch (event.type) {
      case "TurnStarted":
        if (turns.length > 0) current = openTurn(event.turn, event.at);
        current.turn = event.turn;
        current.at = event.at;
        current.opinions.push(...laterOpinions);
        laterOpinions = [];
        turns.push(current);
        break;
      case "ToolStart":
      case "ToolBlocked":
        if (!current.callTimes.has(event.callId)) current.callTimes.set(event.callId, event.at);
        if (event.type === "ToolBlocked" && event.by === "guardian") current.refusedCalls.add(event.callId);
        break;
      case "CostEvent":
        if (typeof event.costNanoUsd === "number") current.costNanoUsd = (current.costNanoUsd ?? 0) + event.costNanoUsd;
        break;
      case "UsageUpdate":
        current.inputTokens += event.usage?.input ?? 0; // an event of another version may have none
        current.outputTokens += event.usage?.output ?? 0;
        break;
      case "OpinionGiven":
        (current.callTimes.size > 0 ? laterOpinions : current.opinions).push(recordedOpinion(event));
        break;
      default:
        break; // other events say nothing about calls, costs or opinions
    }
  }
  return turns;
}

type OpenTurn = {
  -readonly [K in "turn" | "at" | "costNanoUsd" | "inputTokens" | "outputTokens"]: SavedTurn[K];
} & {
  readonly callTimes: Map<string, number>;
  readonly refusedCalls: Set<string>;
  readonly opinions: RecordedOpinion[];
};

function openTurn(turn: number, at: number): OpenTurn {
  return {
    turn,
    at,
    callTimes: new Map(),
    refusedCalls: new Set(),
    costNanoUsd: undefined,
    inputTokens: 0,
    outputTokens: 0,
    opinions: [],
  };
}

function recordedOpinion({ request, verdict, advice }: Extract<AgentEvent, { type: "OpinionGiven" }>): RecordedOpinion {
  return { request, verdict, ...(advice === undefined ? {} : { advice }) };
}
