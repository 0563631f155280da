import { type AgentEvent, outcomes, type SavedRun } from "@sheepdog/agent";
import { type EndItem, type Item, savedItems } from "@sheepdog/agent/timeline";

/** The items of a saved run. A damaged database may have lost events: the prompt and the end are then as saved. */
export function runItems(run: SavedRun, events: readonly AgentEvent[]): readonly Item[] {
  const { runId, prompt, startedAt } = run;
  const items = savedItems(events, runId);
  const hasItem = (type: Item["type"]) => items.some((item) => item.type === type);
  return [
    ...(hasItem("prompt") ? [] : [{ type: "prompt", text: prompt, isResumed: false, seq: 0, at: startedAt } as const]),
    ...items,
    ...(hasItem("end") ? [] : savedEnd(run, events.find((event) => event.runId === runId)?.sessionId ?? "")),
  ];
}

/** The end of a run that has ended. */
function savedEnd(run: SavedRun, sessionId: string): readonly EndItem[] {
  const { runId, state, reason = "internal_error", text = "", turns, usage, costNanoUsd, endedAt } = run;
  if (endedAt === undefined) return [];
  const { exitCode } = outcomes[reason];
  const result = { sessionId, runId, state, reason, exitCode, text, turns, usage, costNanoUsd, interventions: [] };
  return [{ type: "end", result, seq: 0, at: endedAt }];
}
