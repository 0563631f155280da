import type { AgentEvent, AgentEventBody, RunResult, Usage } from "@sheepdog/agent";
import { type Intervention, inferKind } from "@sheepdog/guardian";
import type { GuardianAct, RecordedCall, RecordedRun, RecordedStep, ReportedIntervention } from "@sheepdog/records";

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

/** Milliseconds between events of a recording without times. */
const STEP_MS = 1_000;
const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };

/**
 * The events that a run of Sheepdog would have had, in order. Without an attached guardian, nothing of what the
 * guardian says took effect.
 */
export function recordedEvents(input: RecordedEventsInput): RecordedEvents {
  const { recording, prompt, policyName, model } = input;
  const draft = createDraft(input);
  const { guardian } = recording;
  const acts = [...(guardian?.acts ?? [])];
  const addActs = (isDue: (act: GuardianAct) => boolean) => {
    for (let next = acts[0]; next !== undefined && isDue(next); next = acts[0]) {
      acts.shift();
      draft.addAct(next);
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

/** How long a call took; undefined where the recording does not have both of its times. */
export function callMs({ at, endedAt }: RecordedCall): number | undefined {
  return isTime(at) && isTime(endedAt) && endedAt >= at ? endedAt - at : undefined;
}

/** Whether a number is a time. */
export function isTime(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
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

type Refusal = Extract<GuardianAct, { readonly type: "refused" }>;

/** Collects events with their times and sums. */
function createDraft({ id, recording, startedAt, model = "" }: RecordedEventsInput) {
  const events: AgentEvent[] = [];
  const hasTimes = recording.steps.some(({ at }) => isTime(at));
  let total = noUsage;
  let costUsd: number | undefined;
  let now = startedAt;
  const moveTo = (time: number | undefined) => {
    if (isTime(time) && time > now) now = time;
    else if (!hasTimes) now += STEP_MS;
  };
  const add = (body: AgentEventBody) => {
    events.push({ ...body, seq: events.length + 1, at: now, sessionId: id, runId: id, severity: severityOf(body) });
  };
  const addUsage = ({ inputTokens = 0, outputTokens = 0, costUsd: stepUsd }: NonNullable<RecordedStep["usage"]>) => {
    const usage = { ...noUsage, input: inputTokens, output: outputTokens };
    total = { ...total, input: total.input + inputTokens, output: total.output + outputTokens };
    add({ type: "UsageUpdate", usage, total });
    if (stepUsd === undefined) return;
    costUsd = (costUsd ?? 0) + stepUsd;
    add({ type: "CostEvent", model, costNanoUsd: Math.round(stepUsd * 1e9), totalNanoUsd: Math.round(costUsd * 1e9) });
  };
  return {
    events,
    add,
    addReply({ at, text, usage }: RecordedStep, turn: number, told: string | undefined): void {
      moveTo(at);
      if (told !== undefined) add({ type: "UserMessage", text: told });
      add({ type: "TurnStarted", turn });
      add({ type: "StreamEnd", isComplete: true, ...(text === "" ? {} : { text }) });
      if (usage !== undefined) addUsage(usage);
    },
    addAct(act: GuardianAct): void {
      moveTo(act.at);
      if (act.type === "recovered") add({ type: "GuardianRecovered", episode: act.episode });
      if (act.type !== "intervention") return;
      const { denies, ...intervention } = act.intervention;
      const named = denies === undefined ? {} : { denies: { callId: callIdOf(act.beforeCall) } };
      add({ type: "GuardianIntervention", intervention: { ...intervention, ...named } });
    },
    addRefusal({ name: tool, args: input }: RecordedCall, callId: string, { at, message }: Refusal): void {
      moveTo(at);
      add({ type: "ToolBlocked", callId, tool, input, by: "guardian", message });
    },
    addCall(call: RecordedCall, callId: string, isOpen: boolean): void {
      const { name: tool, args: input, at } = call;
      moveTo(at);
      add({ type: "ToolStart", callId, tool, input, kind: inferKind(tool, input) });
      if (isOpen) return;
      add({ type: "ToolEnd", callId, tool, status: statusOf(call), content: contentOf(call), ms: callMs(call) ?? 0 });
    },
    totals: () => ({ usage: total, costNanoUsd: costUsd === undefined ? null : Math.round(costUsd * 1e9) }),
  };
}

/** `unknown` if the recording does not say whether the call failed. */
function statusOf({ status, isError }: RecordedCall): string {
  if (status !== undefined) return status;
  return isError === null ? "unknown" : isError ? "error" : "ok";
}

/** The result as text; empty where the recording has none. */
function contentOf({ result, isResultUnknown }: RecordedCall): string {
  if (isResultUnknown || result === null || result === undefined) return "";
  return typeof result === "string" ? result : JSON.stringify(result);
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

function severityOf({ type }: AgentEventBody): AgentEvent["severity"] {
  const isNotable = ["GuardianIntervention", "ToolStart", "ToolEnd", "RunStarted"].includes(type);
  return isNotable ? "info" : "debug";
}
