import type { AgentEvent, SavedRun, SavedSession } from "@sheepdog/agent";
import type { Item } from "./item.ts";
import { type KeptTurn, keptTurns } from "./kept-turns.ts";
import { liveItems } from "./live-items.ts";

/** The items of a run that is over or broke off, from what is kept of it: events say what happened when, messages hold the words. Either may be missing. */
export function keptItems(saved: SavedSession, events: readonly AgentEvent[], runId: string): readonly Item[] {
  const place = saved.runs.findIndex((each) => each.runId === runId);
  const run = saved.runs[place];
  if (run === undefined) return [];
  const own = events.filter((event) => event.runId === runId);
  const live = liveItems();
  const items: Item[] = [];
  if (!own.some(({ type }) => type === "RunStarted"))
    items.push({ type: "prompt", text: run.prompt, isResumed: false });
  for (const turn of keptTurns(own, messagesOf(saved, place))) items.push(...itemsOf(turn, live));
  const last = own.findLast(isEnd);
  if (last !== undefined) items.push(...live.add(last));
  else if (run.endedAt !== undefined) items.push({ type: "end", result: resultOf(run, own[0]?.sessionId ?? "") });
  else items.push(...live.live.calls); // they go on, or nobody knows what came of them
  return items;
}

/** Everything that was said and done in a run: from its prompt to the next one's. */
function messagesOf({ messages, runs }: SavedSession, place: number): SavedSession["messages"] {
  const startOf = (run: SavedRun | undefined) => {
    const at =
      run === undefined
        ? -1
        : messages.findIndex(
            (message) => message.role === "user" && message.origin !== "guardian" && message.at >= run.startedAt,
          );
    return at < 0 ? messages.length : at;
  };
  return messages.slice(startOf(runs[place]), startOf(runs[place + 1]));
}

function itemsOf({ events, said }: KeptTurn, live: ReturnType<typeof liveItems>): readonly Item[] {
  const items = events.filter((event) => !isEnd(event)).flatMap((event) => live.add(event));
  const { turn } = live.live;
  return [...items, ...said.map((text): Item => ({ type: "note", turn, severity: "info", text: `You said: ${text}` }))];
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
