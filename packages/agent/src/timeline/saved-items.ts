import type { AgentEvent } from "../protocol/events.ts";
import type { Item } from "./item.ts";
import { createLiveItems } from "./live-items.ts";

/**
 * The items of a run from its saved events. Calls without an end come last: they are running, or their outcome is
 * unknown. Returns an empty list when there are no events of the run.
 */
export function savedItems(events: readonly AgentEvent[], runId: string): readonly Item[] {
  const timeline = createLiveItems();
  const runEvents = withAnswersAtQuestions(events.filter((event) => event.runId === runId));
  const items = runEvents.flatMap((event) => timeline.add(event));
  return [...items, ...timeline.live.calls];
}

/** A second opinion is given in a later turn. It is shown where it was asked for, if that was saved. */
function withAnswersAtQuestions(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const answers = new Map(events.flatMap((event) => (event.type === "OpinionGiven" ? [[event.request, event]] : [])));
  const asked = new Set(events.flatMap((event) => (event.type === "OpinionAsked" ? [event.request.id] : [])));
  return events.flatMap((event) => {
    if (event.type === "OpinionGiven" && asked.has(event.request)) return [];
    const answer = event.type === "OpinionAsked" ? answers.get(event.request.id) : undefined;
    return answer === undefined ? [event] : [event, answer];
  });
}
