import type { AgentEvent, AgentEventBody, RunResult, Usage } from "@sheepdog/agent";
import { inferKind } from "@sheepdog/guardian";
import type { GuardianAct, RecordedCall, RecordedRun, RecordedStep } from "@sheepdog/records";
import { callMs, isTime } from "./recorded-times.ts";

type Refusal = Extract<GuardianAct, { readonly type: "refused" }>;

/** Collects the events of a recording with their times and sums. */
export interface EventDraft {
  readonly events: readonly AgentEvent[];
  add(body: AgentEventBody): void;
  /** Adds a reply, and before it what a person wrote. */
  addReply(step: RecordedStep, turn: number, told: string | undefined): void;
  /** Adds what an attached guardian did before a call; a refusal is added with its call. */
  addAct(act: GuardianAct, nextCallId: string): void;
  addRefusal(call: RecordedCall, callId: string, refusal: Refusal): void;
  /** Adds a call; one that is still open has no end. */
  addCall(call: RecordedCall, callId: string, isOpen: boolean): void;
  totals(): Pick<RunResult, "usage" | "costNanoUsd">;
}

interface EventDraftInput {
  /** The id of the session and the run in the events. */
  readonly id: string;
  readonly recording: RecordedRun;
  readonly startedAt: number;
  readonly model: string | undefined;
}

/** Milliseconds between events of a recording without times. */
const STEP_MS = 1_000;
const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };

/** Creates an empty draft. */
export function createEventDraft({ id, recording, startedAt, model = "" }: EventDraftInput): EventDraft {
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
    addReply({ at, text, usage }, turn, told) {
      moveTo(at);
      if (told !== undefined) add({ type: "UserMessage", text: told });
      add({ type: "TurnStarted", turn });
      add({ type: "StreamEnd", isComplete: true, ...(text === "" ? {} : { text }) });
      if (usage !== undefined) addUsage(usage);
    },
    addAct(act, nextCallId) {
      moveTo(act.at);
      if (act.type === "recovered") add({ type: "GuardianRecovered", episode: act.episode });
      if (act.type !== "intervention") return;
      const { denies, ...intervention } = act.intervention;
      const named = denies === undefined ? {} : { denies: { callId: nextCallId } };
      add({ type: "GuardianIntervention", intervention: { ...intervention, ...named } });
    },
    addRefusal({ name: tool, args: input }, callId, { at, message }) {
      moveTo(at);
      add({ type: "ToolBlocked", callId, tool, input, by: "guardian", message });
    },
    addCall(call, callId, isOpen) {
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

function severityOf({ type }: AgentEventBody): AgentEvent["severity"] {
  const isNotable = ["GuardianIntervention", "ToolStart", "ToolEnd", "RunStarted"].includes(type);
  return isNotable ? "info" : "debug";
}
