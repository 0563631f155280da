import type { AgentEvent, Message } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";

/** A call of a session as the guardian counts them. */
export interface CountedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** The calls of a session in the order the guardian was asked about them: an intervention names them by their place. */
export function countedCalls(messages: readonly Message[]): readonly CountedCall[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant" || message.stop !== "calls") return [];
    return message.parts.flatMap((part) => (part.type === "call" ? [{ tool: part.tool, input: part.input ?? part.problem }] : []));
  });
}

/** What came of an intervention. `heeded` is null where nothing followed that could tell, or where there was nothing to heed. */
export interface Heed {
  readonly heeded: boolean | null;
  /** The run came back on course after it. */
  readonly recovered: boolean;
}

/** Whether an intervention was heeded: the next call was none of those it was about. */
export function heedOf(intervention: Intervention, calls: readonly CountedCall[], recovered: ReadonlySet<string>): Heed {
  const { id, call, evidence, denies, level } = intervention;
  const next = calls[call + (denies === undefined ? 1 : 2)]; // the one that was refused is behind the last that was finished
  const meant = evidence.flatMap((place) => calls[place] ?? []).map(textOf);
  const heeded = level === "halt" || next === undefined || meant.length === 0 ? null : !meant.includes(textOf(next));
  return { heeded, recovered: recovered.has(episodeOf(id)) };
}

/** The episodes of a run that it recovered from. */
export function recoveredEpisodes(events: readonly AgentEvent[], runId: string): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === "GuardianRecovered" && event.runId === runId ? [event.episode] : [])));
}

function episodeOf(id: string): string {
  return id.split("/")[0] ?? id;
}

function textOf({ tool, input }: CountedCall): string {
  return JSON.stringify([tool, input]);
}
