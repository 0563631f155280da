import type { AgentEvent, Message } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";

/** A call of a session as the guardian counts them. */
export interface CountedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The calls of a session in the order the guardian was asked about them: an intervention names them by their place. */
export function countedCalls(messages: readonly Message[]): readonly CountedCall[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant" || message.stop !== "calls") return [];
    return message.parts.flatMap((part) =>
      part.type === "call" ? [{ id: part.id, tool: part.tool, input: part.input ?? part.problem }] : [],
    );
  });
}

/** What came of an intervention. `heeded` is null where nothing followed that could tell, or where there was nothing to heed. */
export interface Heed {
  readonly heeded: boolean | null;
  /** The run came back on course after it. */
  readonly recovered: boolean;
}

/** What is known of a run when one of its interventions is looked at. */
export interface Told {
  readonly calls: readonly CountedCall[];
  /** All of the run, oldest first. */
  readonly interventions: readonly Intervention[];
  /** Episodes that the run recovered from. */
  readonly recovered: ReadonlySet<string>;
}

/** Whether an intervention was heeded: the next call was none of those it was about, and the guardian did not take it for another of them either. */
export function heedOf(intervention: Intervention, { calls, interventions, recovered }: Told): Heed {
  const { id, call, evidence, denies, level } = intervention;
  const place = call + (denies === undefined ? 1 : 2); // the one that was refused is behind the last that was finished
  const next = calls[place];
  const meant = evidence.flatMap((each) => calls[each] ?? []).map(textOf);
  const later = interventions
    .slice(interventions.findIndex((each) => each.id === id) + 1)
    .filter((each) => episodeOf(each.id) === episodeOf(id));
  const isMore =
    next !== undefined && later.some((each) => each.evidence.includes(place) || each.denies?.callId === next.id);
  const heeded =
    level === "halt" || next === undefined || meant.length === 0 ? null : !isMore && !meant.includes(textOf(next));
  return { heeded, recovered: recovered.has(episodeOf(id)) };
}

/** What the guardian has told of a run. */
export function toldOf(events: readonly AgentEvent[], runId: string, calls: readonly CountedCall[]): Told {
  const own = events.filter((event) => event.runId === runId);
  return {
    calls,
    interventions: own.flatMap((event) => (event.type === "GuardianIntervention" ? [event.intervention] : [])),
    recovered: new Set(own.flatMap((event) => (event.type === "GuardianRecovered" ? [event.episode] : []))),
  };
}

function episodeOf(id: string): string {
  return id.split("/")[0] ?? id;
}

function textOf({ tool, input }: CountedCall): string {
  return JSON.stringify([tool, input]);
}
