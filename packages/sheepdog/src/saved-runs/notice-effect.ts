import type { AgentEvent, Message } from "@sheepdog/agent";
import { episodeOf, type Intervention } from "@sheepdog/guardian";

/** A call of a session. Its index in the list of calls is the number that the guardian uses. */
export interface NumberedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The calls of a session in the order in which the guardian counts them: interventions refer to them by index. */
export function numberedCalls(messages: readonly Message[]): readonly NumberedCall[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant" || message.stop !== "calls") return [];
    return message.parts.flatMap((part) =>
      part.type === "call" ? [{ id: part.id, tool: part.tool, input: part.input ?? part.problem }] : [],
    );
  });
}

/** What the agent did after an intervention. */
export interface NoticeEffect {
  /** Whether the next call was a different one; null if no call followed, or if the intervention is about no call. */
  readonly followed: boolean | null;
  /** The run recovered afterwards. */
  readonly recovered: boolean;
}

/** The calls, interventions and recoveries of a run. */
export interface InterventionHistory {
  readonly calls: readonly NumberedCall[];
  /** Oldest first. */
  readonly interventions: readonly Intervention[];
  /** The episodes from which the run recovered by itself. */
  readonly recovered: ReadonlySet<string>;
}

/**
 * The effect of an intervention. The agent followed it if its next call is none of the calls in the evidence, and the
 * guardian did not count that call as another repetition.
 */
export function noticeEffect(
  intervention: Intervention,
  { calls, interventions, recovered }: InterventionHistory,
): NoticeEffect {
  const { id, call, evidence, denies, level } = intervention;
  const nextIndex = call + (denies === undefined ? 1 : 2); // a refused call comes after the last finished one
  const nextCall = calls[nextIndex];
  const evidenceKeys = evidence.flatMap((index) => calls[index] ?? []).map(callKey);
  const laterInEpisode = interventions
    .slice(interventions.findIndex((each) => each.id === id) + 1)
    .filter((each) => episodeOf(each.id) === episodeOf(id));
  const hasEffect = level !== "halt" && nextCall !== undefined && evidenceKeys.length > 0;
  const isRepetition =
    nextCall !== undefined &&
    (evidenceKeys.includes(callKey(nextCall)) ||
      laterInEpisode.some((each) => each.evidence.includes(nextIndex) || each.denies?.callId === nextCall.id));
  return { followed: hasEffect ? !isRepetition : null, recovered: recovered.has(episodeOf(id)) };
}

/** Collects the interventions and recoveries of a run from its events. */
export function interventionHistory(
  events: readonly AgentEvent[],
  runId: string,
  calls: readonly NumberedCall[],
): InterventionHistory {
  const runEvents = events.filter((event) => event.runId === runId);
  return {
    calls,
    interventions: runEvents.flatMap((event) => (event.type === "GuardianIntervention" ? [event.intervention] : [])),
    recovered: new Set(runEvents.flatMap((event) => (event.type === "GuardianRecovered" ? [event.episode] : []))),
  };
}

function callKey({ tool, input }: NumberedCall): string {
  return JSON.stringify([tool, input]);
}
