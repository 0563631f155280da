import type { AgentEvent, RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import type { GuardianAct, RecordedCall, RecordedRun, ReportedIntervention } from "@sheepdog/records";
import { createEventDraft } from "./event-draft.ts";

/** A recording as it becomes events. */
export interface RecordedEventsInput {
  /** The id of the session and the run in the events. */
  readonly id: string;
  readonly recording: RecordedRun;
  readonly startedAt: number;
  readonly prompt: string;
  readonly model: string | undefined;
  /** The name of the policy, and what the guardian would have done under it. */
  readonly policyName: string;
  /** Not used if a guardian was attached: then the recording has what it did. */
  readonly interventions: readonly ReportedIntervention[];
}

/** The events of a recording, and what they add up to. There is no end: recordings do not say how a run ended. */
export interface RecordedEvents {
  readonly events: readonly AgentEvent[];
  readonly totals: Pick<RunResult, "text" | "turns" | "usage" | "costNanoUsd">;
}

/**
 * The events that a run of Sheepdog would have had, in order. Without an attached guardian, nothing of what the
 * guardian says took effect.
 */
export function recordedEvents(input: RecordedEventsInput): RecordedEvents {
  const { recording, prompt, policyName, model } = input;
  const draft = createEventDraft(input);
  const { guardian } = recording;
  const acts = [...(guardian?.acts ?? [])];
  const addActs = (isDue: (act: GuardianAct) => boolean) => {
    for (let next = acts[0]; next !== undefined && isDue(next); next = acts[0]) {
      acts.shift();
      draft.addAct(next, callIdOf(next.beforeCall));
    }
  };
  const pending = withIds(guardian === undefined ? input.interventions : []);
  const addInterventions = (isDue: (reported: ReportedIntervention) => boolean) => {
    for (let next = pending[0]; next !== undefined && isDue(next.reported); next = pending[0]) {
      pending.shift();
      draft.add({ type: "GuardianIntervention", intervention: asIntervention(next) });
    }
  };
  const mode = guardian?.mode ?? "observe";
  const start = { prompt, mode, preset: policyName, isAttended: false } as const;
  draft.add({ type: "RunStarted", ...start, ...(model === undefined ? {} : { model }) });
  let callIndex = 0;
  const told = laterPrompts(recording);
  for (const [turn, step] of recording.steps.entries()) {
    draft.addReply(step, turn, told[turn]);
    for (const call of step.calls) {
      addActs((act) => act.beforeCall <= callIndex && act.type !== "refused");
      const [refusal] = acts;
      if (refusal?.type === "refused" && refusal.beforeCall === callIndex) {
        acts.shift();
        draft.addRefusal(call, callIdOf(callIndex), refusal);
      } else draft.addCall(call, callIdOf(callIndex), isRunning(recording, call, turn));
      addInterventions((reported) => reported.call <= callIndex);
      callIndex += 1;
    }
    addInterventions((reported) => reported.call < callIndex && reported.turn <= step.turn);
    addActs((act) => act.beforeCall <= callIndex && !isAboutCall(act));
    draft.add({ type: "TurnComplete", turn });
  }
  addActs(() => true);
  addInterventions(() => true);
  const last = recording.steps.at(-1);
  const text = last === undefined || last.calls.length > 0 ? "" : last.text; // a reply with calls is no answer
  return { events: draft.events, totals: { text, turns: recording.steps.length, ...draft.totals() } };
}

/** The id of a call of a recording. */
export function callIdOf(index: number): string {
  return `call_${index}`;
}

/** Whether an act belongs to the call after it. */
function isAboutCall(act: GuardianAct): boolean {
  return act.type === "refused" || (act.type === "intervention" && act.intervention.denies !== undefined);
}

/** Whether hooks have seen the beginning of a call, and may see its end. */
function isRunning({ guardian, steps }: RecordedRun, { status, endedAt }: RecordedCall, turn: number): boolean {
  const isOpen = status === "interrupted" && endedAt === undefined;
  return isOpen && guardian?.activity === "working" && turn === steps.length - 1;
}

/** What a person wrote before each step, without the task: it is the prompt of the run. */
function laterPrompts({ steps, task = "" }: RecordedRun): readonly (string | undefined)[] {
  let isTaskOpen = task.trim() !== "";
  return steps.map(({ prompt }) => {
    if (prompt === undefined || !isTaskOpen) return prompt;
    const parts = prompt.split(task.trim());
    if (parts.length === 1) return prompt;
    isTaskOpen = false;
    const rest = [parts[0], parts.slice(1).join(task.trim())].map((part = "") => part.trim());
    return rest.filter((part) => part !== "").join("\n\n") || undefined;
  });
}

interface NumberedIntervention {
  readonly reported: ReportedIntervention;
  readonly id: string;
}

/** Gives each intervention an id with its episode: the level rises within an episode. */
function withIds(interventions: readonly ReportedIntervention[]): NumberedIntervention[] {
  const rank = { hint: 1, warn: 2, block: 3, halt: 4 } as const;
  const open = new Map<string, { readonly episode: string; readonly rank: number }>();
  let episodes = 0;
  return interventions.map((reported) => {
    const last = open.get(reported.detector);
    const isSame = last !== undefined && rank[reported.level] > last.rank;
    const episode = isSame ? last.episode : `e${++episodes}`;
    open.set(reported.detector, { episode, rank: rank[reported.level] });
    return { reported, id: `${episode}/${reported.level}` };
  });
}

function asIntervention({ reported, id }: NumberedIntervention): Intervention {
  const { detector, level, message, evidence, call } = reported;
  const effect = level === "halt" ? "stop" : level === "block" ? "deny" : "tell";
  const count = Math.max(1, evidence.length);
  return { id, detector, level, effect, call, evidence, count, message, isApplied: false };
}
