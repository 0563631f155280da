import { randomUUID } from "node:crypto";
import type { LogLine } from "../logs/log-line.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { CallPart, Message, ResultMessage, Usage } from "../protocol/messages.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import { noUsage } from "../protocol/usage.ts";
import { eventSeqLimit } from "./saved-events.ts";
import type { CostRow, SavedRun } from "./stores.ts";

/** A run as far as its log tells it. */
export interface LoggedRun {
  readonly run: SavedRun;
  /** The log tells how the run ended; else it is ended here where its log ends. */
  readonly isEnded: boolean;
  /** The prompt and the end; with level 3 of the log also the calls and what came of them. What the model said beside its calls is in no log. */
  readonly messages: readonly Message[];
  /** One row a request with level 2, one for the run with level 1. */
  readonly costs: readonly CostRow[];
  readonly events: readonly AgentEvent[];
}

/** A run from the lines of its log; undefined where they tell nothing of one. */
export function parseLoggedRun(
  { sessionId, runId }: { readonly sessionId: string; readonly runId: string },
  lines: readonly LogLine[],
): LoggedRun | undefined {
  const events = lines.filter((line) => isSound(line, sessionId, runId)).map(withoutLevel);
  const [first] = events;
  if (first === undefined) return undefined;
  const run = savedRun(runId, first.at, events);
  return {
    run,
    isEnded: events.some(isEnd),
    messages: messagesOf(run, events),
    costs: costsOf(sessionId, run, events),
    events,
  };
}

function savedRun(runId: string, startedAt: number, events: readonly AgentEvent[]): SavedRun {
  const started = events.find((event) => event.type === "RunStarted");
  const prompt = typeof started?.prompt === "string" ? started.prompt : "(The prompt is no longer in the log.)";
  const end = events.findLast(isEnd);
  const known = { runId, prompt, startedAt: started?.at ?? startedAt };
  if (end !== undefined) {
    const { state, reason, text, turns, usage, costNanoUsd } = end.result;
    return { ...known, endedAt: end.at, state, reason, text, turns, usage, costNanoUsd };
  }
  const usage = events.findLast((event) => event.type === "UsageUpdate" && isUsage(event.total));
  const cost = events.findLast((event) => event.type === "CostEvent" && isCost(event.totalNanoUsd));
  return {
    ...known,
    endedAt: events.at(-1)?.at ?? startedAt,
    ...{
      state: "error",
      reason: "internal_error",
      text: "The log ends before the run does: the process was ended, or the rest of the log is lost.",
    },
    turns: events.reduce((most, event) => (event.type === "TurnStarted" && event.turn > most ? event.turn : most), 0),
    usage: usage?.type === "UsageUpdate" ? usage.total : noUsage,
    costNanoUsd: cost?.type === "CostEvent" ? cost.totalNanoUsd : null,
  };
}

/** A reply that is being put together. */
interface Turn {
  readonly calls: Map<string, CallPart>;
  readonly results: Map<string, ResultMessage>;
  at: number;
  model: string;
  usage: Usage;
}

function messagesOf(run: SavedRun, events: readonly AgentEvent[]): readonly Message[] {
  const id = idsFor(run.runId);
  const messages: Message[] = [{ role: "user", id: id(), at: run.startedAt, origin: "person", text: run.prompt }];
  const known = new Set<string>();
  let turn = emptyTurn(run.startedAt);
  const finish = () => {
    if (turn.calls.size > 0) messages.push(...replyOf(turn, id));
    turn = emptyTurn(turn.at);
  };
  for (const event of events) {
    turn.at = event.at;
    if (event.type === "TurnStarted") finish();
    if (event.type === "CostEvent" && typeof event.model === "string") turn.model = event.model;
    if (event.type === "UsageUpdate" && isUsage(event.usage)) turn.usage = event.usage;
    if (!("callId" in event) || typeof event.callId !== "string") continue;
    const { callId } = event;
    if (event.type === "ToolStart" && !known.has(callId))
      turn.calls.set(callId, callOf(callId, event.tool, event.input));
    if (event.type === "ToolBlocked" && hasCalls(events) && !known.has(callId))
      turn.calls.set(callId, callOf(callId, event.tool, undefined));
    known.add(callId);
    const result = resultOf(event, id);
    if (result !== undefined && turn.calls.has(callId)) turn.results.set(callId, result);
  }
  finish();
  const text = run.text?.trim() || "(nothing)";
  const ending: Message =
    run.state === "completed"
      ? {
          role: "assistant",
          id: id(),
          at: run.endedAt ?? turn.at,
          parts: [{ type: "text", text }],
          stop: "end",
          model: turn.model,
          usage: noUsage,
        }
      : { ...rebuildNote(`The run ended here (${run.reason}): ${text}`, run.endedAt ?? turn.at), id: id() };
  return [...messages, ending];
}

/** A message of ours about what was rebuilt. */
export function rebuildNote(text: string, at: number): Extract<Message, { readonly role: "user" }> {
  return { role: "user", id: `rebuilt_${randomUUID()}`, at, origin: "automatic", text, reason: "rebuilt" };
}

function emptyTurn(at: number): Turn {
  return { calls: new Map(), results: new Map(), at, model: "unknown", usage: noUsage };
}

/** Blocked calls are told from level 2 on; without the other calls they would be half of the story. */
function hasCalls(events: readonly AgentEvent[]): boolean {
  return events.some(({ type }) => type === "ToolStart" || type === "GateDecision");
}

function replyOf({ calls, results, at, model, usage }: Turn, id: () => string): readonly Message[] {
  const unknown = (callId: string, tool: string): ResultMessage => ({
    ...{ role: "tool", id: id(), at, callId, tool, status: "interrupted" },
    content:
      "The log holds no result of this call: its outcome is unknown. Verify what it did before you make it again.",
  });
  return [
    { role: "assistant", id: id(), at, parts: [...calls.values()], stop: "calls", model, usage },
    ...[...calls.values()].map((call) => results.get(call.id) ?? unknown(call.id, call.tool)),
  ];
}

function callOf(id: string, tool: string, input: unknown): CallPart {
  const isWhole = typeof input === "object" && input !== null && !Array.isArray(input);
  if (isWhole) return { type: "call", id, tool: String(tool), input: input as CallPart["input"] }; // an object that was JSON
  return { type: "call", id, tool: String(tool), input: undefined, problem: "The log does not hold the whole input." };
}

function resultOf(event: AgentEvent, id: () => string): ResultMessage | undefined {
  if (event.type === "ToolBlocked")
    return {
      role: "tool",
      id: id(),
      at: event.at,
      callId: event.callId,
      tool: event.tool,
      status: "denied",
      content: String(event.message),
    };
  if (event.type !== "ToolEnd") return undefined;
  const status = event.status as ResultMessage["status"]; // a tool's end has the status of its result
  return {
    role: "tool",
    id: id(),
    at: event.at,
    callId: event.callId,
    tool: event.tool,
    status,
    content: String(event.content),
  };
}

function costsOf(sessionId: string, run: SavedRun, events: readonly AgentEvent[]): readonly CostRow[] {
  const rows: CostRow[] = [];
  let usage: Usage | undefined;
  for (const event of events) {
    if (event.type === "UsageUpdate") usage = isUsage(event.usage) ? event.usage : undefined;
    if (event.type !== "CostEvent" || !isCost(event.costNanoUsd)) continue;
    const { at, costNanoUsd, seq } = event;
    rows.push({
      id: `log_${run.runId}_${seq}`,
      sessionId,
      runId: run.runId,
      model: String(event.model),
      at,
      usage: usage ?? noUsage,
      costNanoUsd,
    });
    usage = undefined;
  }
  if (rows.length > 0 || (run.usage.input === 0 && run.usage.output === 0 && !run.costNanoUsd)) return rows;
  return [
    {
      ...{ id: `log_${run.runId}`, sessionId, runId: run.runId, model: "unknown" },
      at: run.startedAt,
      usage: run.usage,
      costNanoUsd: run.costNanoUsd,
    },
  ];
}

function idsFor(runId: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `log_${runId}_${made}`;
  };
}

type End = Extract<AgentEvent, { readonly result: RunResult }>;

/** Logs can be edited and damaged: an end counts where what is taken from it is what it should be. */
function isEnd(event: AgentEvent): event is End {
  if (event.type !== "RunComplete" && event.type !== "RunError") return false;
  const result: Partial<RunResult> | undefined = event.result;
  if (typeof result !== "object" || result === null) return false;
  const { state, reason, text, turns, usage, costNanoUsd } = result;
  return (
    typeof reason === "string" &&
    outcomes[reason]?.state === state &&
    typeof text === "string" &&
    isCount(turns) &&
    isUsage(usage) &&
    isCost(costNanoUsd)
  );
}

function isSound({ sessionId: session, runId: run, seq, at }: LogLine, sessionId: string, runId: string): boolean {
  return (
    session === sessionId && run === runId && Number.isSafeInteger(seq) && seq >= 1 && seq < eventSeqLimit && isTime(at)
  );
}

function withoutLevel({ level: _level, durationMs: _durationMs, ...event }: LogLine): AgentEvent {
  return event as AgentEvent; // what was added to it is taken away
}

function isTime(at: unknown): boolean {
  return typeof at === "number" && at >= 0 && at <= 8.64e15;
}

function isUsage(usage: unknown): usage is Usage {
  if (typeof usage !== "object" || usage === null) return false;
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage as Partial<Usage>;
  return [input, cacheRead, cacheWrite, output].every(isCount) && typeof isEstimated === "boolean";
}

function isCost(cost: unknown): cost is number | null {
  return cost === null || isCount(cost);
}

function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) >= 0;
}
