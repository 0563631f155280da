import type { AgentEvent, AgentEventBody, RunResult, SavedRun, Usage } from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import { analyze, type RecordedRun, type RecordedStep, type ReportedIntervention } from "@sheepdog/records";
import type { RecordingEntry } from "../../../recordings/recording-library.ts";
import type { NumberedCall } from "../../../saved-runs/notice-effect.ts";
import { loopsOf } from "./loops.ts";
import type { RunData } from "./run-data.ts";
import { readTrace } from "./run-trace.ts";

/** A recording, and how the guardian judges it. */
export interface JudgedRecording {
  readonly entry: RecordingEntry;
  readonly recording: RecordedRun;
  readonly policy: Policy;
}

/** Milliseconds between events of a recording without times. */
const STEP_MS = 1_000;
const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };

/** A recording of another agent in the form of a run: with the same events, and with what the guardian would do. */
export function recordedRunData({ entry, recording, policy }: JudgedRecording): RunData {
  const { interventions } = analyze(recording, policy);
  const draft = createDraft(entry, recording);
  draft.add({ type: "RunStarted", prompt: draft.prompt, mode: "observe", preset: policy.name });
  let callIndex = 0;
  const pending = [...numbered(interventions)];
  const addInterventions = (isDue: (reported: ReportedIntervention) => boolean) => {
    while (pending[0] !== undefined && isDue(pending[0].reported)) {
      const next = pending.shift();
      if (next !== undefined) draft.add({ type: "GuardianIntervention", intervention: asIntervention(next) });
    }
  };
  for (const [index, step] of recording.steps.entries()) {
    draft.begin(step, index);
    for (const call of step.calls) {
      const callId = callIdOf(callIndex);
      draft.at(call.at);
      draft.add({ type: "ToolStart", callId, tool: call.name, input: call.args });
      draft.tick();
      draft.add({
        type: "ToolEnd",
        callId,
        tool: call.name,
        status: statusOf(call.isError),
        content: textOf(call.result),
        ms: 0,
      });
      addInterventions((reported) => reported.call <= callIndex);
      callIndex += 1;
    }
    addInterventions((reported) => reported.call < callIndex && reported.turn <= step.turn);
    draft.add({ type: "TurnComplete", turn: index });
  }
  addInterventions(() => true);
  return draft.finish();
}

/** The id of a call of a recording. */
export function callIdOf(index: number): string {
  return `call_${index}`;
}

function textOf(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
}

function statusOf(isError: boolean | null): string {
  return isError === true ? "error" : "ok";
}

interface NumberedIntervention {
  readonly reported: ReportedIntervention;
  readonly id: string;
}

/** Gives each intervention an id with its episode: the level rises within an episode. */
function numbered(interventions: readonly ReportedIntervention[]): readonly NumberedIntervention[] {
  const rank = { hint: 1, warn: 2, block: 3, halt: 4 } as const;
  const open = new Map<string, { readonly episode: string; rank: number }>();
  let episodes = 0;
  return interventions.map((reported) => {
    const last = open.get(reported.detector);
    const isSame = last !== undefined && rank[reported.level] > last.rank;
    const episode = isSame ? last.episode : `e${++episodes}`;
    open.set(reported.detector, { episode, rank: rank[reported.level] });
    return { reported, id: `${episode}/${reported.level}` };
  });
}

function asIntervention({
  reported,
  id,
}: NumberedIntervention): Extract<AgentEventBody, { type: "GuardianIntervention" }>["intervention"] {
  const { detector, level, message, evidence, call } = reported;
  const effect = level === "halt" ? "stop" : level === "block" ? "deny" : "tell";
  return {
    id,
    detector,
    level,
    effect,
    call,
    evidence,
    count: Math.max(1, evidence.length),
    message,
    isApplied: false,
  };
}

/** Builds the events and sums of a recording. */
function createDraft(entry: RecordingEntry, recording: RecordedRun) {
  const { steps } = recording;
  const firstAt = entry.startedAt ?? steps.find(({ at }) => isTime(at))?.at ?? 0;
  const startedAt = isTime(firstAt) ? firstAt : 0;
  const prompt = entry.task ?? recording.task ?? "";
  const events: AgentEvent[] = [];
  const total = { ...noUsage };
  let now = startedAt;
  let seq = 0;
  let costUsd: number | undefined;

  const add = (body: AgentEventBody) => {
    seq += 1;
    events.push({ ...body, seq, at: now, sessionId: entry.id, runId: entry.id, severity: severityOf(body) });
  };
  const setTime = (time: number | undefined) => {
    if (isTime(time) && time > now) now = time;
  };
  const tick = () => {
    if (!steps.some(({ at }) => isTime(at))) now += STEP_MS;
  };
  const addUsage = ({ usage = {} }: RecordedStep) => {
    const own = { ...noUsage, input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 };
    Object.assign(total, { input: total.input + own.input, output: total.output + own.output });
    add({ type: "UsageUpdate", usage: own, total: { ...total } });
    if (usage.costUsd === undefined) return;
    costUsd = (costUsd ?? 0) + usage.costUsd;
    const model = recording.model ?? entry.model ?? "";
    add({ type: "CostEvent", model, costNanoUsd: usage.costUsd * 1e9, totalNanoUsd: costUsd * 1e9 });
  };
  return {
    prompt,
    add,
    tick,
    at: setTime,
    begin(step: RecordedStep, turn: number): void {
      setTime(step.at);
      tick();
      add({ type: "TurnStarted", turn });
      add({ type: "StreamEnd", isComplete: true, ...(step.text === "" ? {} : { text: step.text }) });
      if (step.usage !== undefined) addUsage(step);
    },
    finish(): RunData {
      tick();
      const last = steps.at(-1);
      const text = last === undefined || last.calls.length > 0 ? "" : last.text; // a reply with calls is no answer
      const costNanoUsd = costUsd === undefined ? null : Math.round(costUsd * 1e9);
      const shared = { runId: entry.id, turns: steps.length, usage: total, costNanoUsd, text } as const;
      const result: RunResult = {
        ...shared,
        sessionId: entry.id,
        state: "completed",
        reason: "answered",
        exitCode: 0,
        interventions: [],
      };
      add({ type: "RunComplete", result });
      const run: SavedRun = {
        ...shared,
        prompt,
        startedAt,
        endedAt: isTime(entry.endedAt) ? Math.max(entry.endedAt, now) : now,
        state: "completed",
        reason: "answered",
        ...(entry.workspace === undefined ? {} : { workspace: entry.workspace }),
        ...(entry.model === undefined ? {} : { model: entry.model }),
      };
      return dataOf(entry, recording, { run, events });
    },
  };
}

function dataOf(
  entry: RecordingEntry,
  recording: RecordedRun,
  { run, events }: { readonly run: SavedRun; readonly events: readonly AgentEvent[] },
): RunData {
  const calls: readonly NumberedCall[] = recording.steps
    .flatMap((step) => step.calls)
    .map(({ name, args }, index) => ({ id: callIdOf(index), tool: name, input: args }));
  const trace = readTrace(events);
  const levels = trace.interventions.map(({ intervention }) => intervention.level);
  return {
    kind: "recording",
    source: entry.source,
    summary: {
      sessionId: entry.id,
      run,
      state: run.state,
      turns: run.turns,
      costNanoUsd: run.costNanoUsd,
      interventions: { count: levels.length, highest: levels.at(-1), questions: 0 },
      ended: {},
      limits: {},
      isLast: true,
      subagents: [],
      isDemo: false,
    },
    events,
    unreadable: 0,
    calls,
    messages: [],
    trace,
    loops: loopsOf(trace, calls),
    startedCalls: [],
    lastWords: recording.steps.findLast(({ text }) => text.trim() !== "")?.text,
    sessionRuns: [run],
  };
}

function severityOf({ type }: AgentEventBody): AgentEvent["severity"] {
  if (type === "GuardianIntervention" || type === "ToolStart" || type === "ToolEnd") return "info";
  return type === "RunStarted" || type === "RunComplete" ? "info" : "debug";
}

function isTime(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}
