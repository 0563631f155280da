import type { AgentEvent, SavedRun, SavedSession } from "@sheepdog/agent";
import type { Item } from "./item.ts";
import { createLiveItems, type LiveItems } from "./live-items.ts";
import { type SavedTurn, savedTurns } from "./saved-turns.ts";

/**
 * The items of a saved run. Events say what happened and when, messages hold the text; either may be missing. Returns
 * an empty list when the session has no such run.
 */
export function savedItems(saved: SavedSession, events: readonly AgentEvent[], runId: string): readonly Item[] {
  const runIndex = saved.runs.findIndex((each) => each.runId === runId);
  const run = saved.runs[runIndex];
  if (run === undefined) return [];
  const runEvents = withAnswersAtQuestions(events.filter((event) => event.runId === runId));
  const timeline = createLiveItems();
  const items: Item[] = [];
  if (!runEvents.some(({ type }) => type === "RunStarted"))
    items.push({ type: "prompt", text: run.prompt, isResumed: false });
  for (const turn of savedTurns(runEvents, runMessages(saved, runIndex))) items.push(...turnItems(turn, timeline));
  const endEvent = runEvents.findLast(isEnd);
  if (endEvent !== undefined) items.push(...timeline.add(endEvent));
  else if (run.endedAt !== undefined) items.push({ type: "end", result: resultOf(run, runEvents[0]?.sessionId ?? "") });
  else items.push(...timeline.live.calls); // still running, or the outcome is unknown
  return items;
}

/** A second opinion is given in a later turn. It is shown where it was asked for. */
function withAnswersAtQuestions(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const answers = new Map(events.flatMap((event) => (event.type === "OpinionGiven" ? [[event.request, event]] : [])));
  return events.flatMap((event) => {
    if (event.type === "OpinionGiven") return [];
    const answer = event.type === "OpinionAsked" ? answers.get(event.request.id) : undefined;
    return answer === undefined ? [event] : [event, answer];
  });
}

/** The messages of a run: from its prompt to the prompt of the next run. */
function runMessages({ messages, runs }: SavedSession, runIndex: number): SavedSession["messages"] {
  const startOf = (run: SavedRun | undefined) => {
    if (run === undefined) return messages.length;
    const start = messages.findIndex(
      (message) => message.role === "user" && message.origin !== "guardian" && message.at >= run.startedAt,
    );
    return start < 0 ? messages.length : start;
  };
  return messages.slice(startOf(runs[runIndex]), startOf(runs[runIndex + 1]));
}

function turnItems({ events, steering }: SavedTurn, timeline: LiveItems): readonly Item[] {
  const items = events.filter((event) => !isEnd(event)).flatMap((event) => timeline.add(event));
  const { turn } = timeline.live;
  const notes = steering.map((text): Item => ({ type: "note", turn, severity: "info", text: `You said: ${text}` }));
  return [...items, ...notes];
}

function isEnd({ type }: AgentEvent): boolean {
  return type === "RunComplete" || type === "RunError";
}

function resultOf(
  { runId, state, reason = "internal_error", text = "", turns, usage, costNanoUsd }: SavedRun,
  sessionId: string,
): Extract<Item, { type: "end" }>["result"] {
  return { sessionId, runId, state, reason, exitCode: 0, text, turns, usage, costNanoUsd, interventions: [] };
}
