import { randomUUID } from "node:crypto";
import type { LogLine } from "../logs/log-line.ts";
import type { AgentEvent } from "../protocol/events.ts";
import { isRecord } from "../protocol/json.ts";
import type { CallPart, Message, ResultMessage, Usage, UserMessage } from "../protocol/messages.ts";
import { requestPurposes } from "../protocol/request-purpose.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import type { RunSpec } from "../protocol/run-spec.ts";
import { noUsage } from "../protocol/usage.ts";
import { eventSeqLimit } from "./saved-events.ts";
import type { CostRow, SavedRun } from "./stores.ts";

/** A run as its log describes it. */
export interface LoggedRun {
  readonly run: SavedRun;
  /** Whether the log has the end of the run. Otherwise the run ends here with an error, where its log ends. */
  readonly isEnded: boolean;
  /**
   * The prompt, what the user said during the run, and the end; with log level 3 also the calls and their results, and
   * the text beside them.
   */
  readonly messages: readonly Message[];
  /** One row per request with log level 2 or 3, one row for the whole run with level 1. */
  readonly costs: readonly CostRow[];
  readonly events: readonly AgentEvent[];
}

/** Builds a run from the lines of its log; undefined when no line is valid. */
export function parseLoggedRun(
  { sessionId, runId }: { readonly sessionId: string; readonly runId: string },
  lines: readonly LogLine[],
): LoggedRun | undefined {
  const validLines = lines.filter((line) => line.sessionId === sessionId && line.runId === runId && isStamped(line));
  const events = validLines.map(withoutLogFields);
  const [first] = events;
  if (first === undefined) return undefined;
  const run = savedRunOf(runId, first.at, events);
  return {
    run,
    isEnded: events.some(isEnd),
    messages: messagesOf(run, events),
    costs: costsOf(sessionId, run, events),
    events,
  };
}

/** A message that tells the model about a rebuild. */
export function rebuildNote(text: string, at: number): UserMessage {
  return { role: "user", id: `rebuilt_${randomUUID()}`, at, origin: "automatic", text, reason: "rebuilt" };
}

function savedRunOf(runId: string, firstAt: number, events: readonly AgentEvent[]): SavedRun {
  const start = events.find((event) => event.type === "RunStarted");
  const prompt = typeof start?.prompt === "string" ? start.prompt : "(The prompt is no longer in the log.)";
  const { spec } = start ?? {};
  const beginning = { runId, prompt, startedAt: start?.at ?? firstAt, ...(isSpec(spec) ? { spec } : {}) };
  const end = events.findLast(isEnd);
  if (end !== undefined) {
    const { state, reason, text, turns, usage, costNanoUsd } = end.result;
    return { ...beginning, endedAt: end.at, state, reason, text, turns, usage, costNanoUsd };
  }
  const lastUsage = events.findLast((event) => event.type === "UsageUpdate" && isUsage(event.total));
  const lastCost = events.findLast((event) => event.type === "CostEvent" && isCost(event.totalNanoUsd));
  const turns = events.flatMap((event) => (event.type === "TurnStarted" ? [event.turn] : []));
  return {
    ...beginning,
    endedAt: events.at(-1)?.at ?? firstAt,
    state: "error",
    reason: "broken_off",
    text: "The log ends before the run does: the process was ended, or the rest of the log is lost.",
    turns: turns.reduce((highest, turn) => (turn > highest ? turn : highest), 0),
    usage: lastUsage?.type === "UsageUpdate" ? lastUsage.total : noUsage,
    costNanoUsd: lastCost?.type === "CostEvent" ? lastCost.totalNanoUsd : null,
  };
}

/** The calls and results of one turn while the log is read. */
interface TurnDraft {
  readonly calls: Map<string, CallPart>;
  readonly results: Map<string, ResultMessage>;
  text: string;
  at: number;
  model: string;
  usage: Usage;
}

function messagesOf(run: SavedRun, events: readonly AgentEvent[]): readonly Message[] {
  const newId = createIds(run.runId);
  const prompt: Message = { role: "user", id: newId(), at: run.startedAt, origin: "person", text: run.prompt };
  const messages: Message[] = [prompt];
  const seenCalls = new Set<string>();
  const isWithCalls = hasCalls(events);
  let turn = emptyTurn(run.startedAt);
  const finishTurn = () => {
    if (turn.calls.size > 0) messages.push(...turnMessages(turn, newId));
    turn = emptyTurn(turn.at);
  };
  for (const event of events) {
    turn.at = event.at;
    if (event.type === "TurnStarted" || event.type === "UserMessage") finishTurn();
    if (event.type === "UserMessage") messages.push(userMessage(newId(), event));
    if (event.type === "StreamEnd" && typeof event.text === "string") turn.text = event.text;
    if (isOfTurn(event) && event.type === "CostEvent" && typeof event.model === "string") turn.model = event.model;
    if (isOfTurn(event) && event.type === "UsageUpdate" && isUsage(event.usage)) turn.usage = event.usage;
    if (!("callId" in event) || typeof event.callId !== "string") continue;
    const { callId } = event;
    const call = seenCalls.has(callId) ? undefined : callOf(event, isWithCalls);
    if (call !== undefined) turn.calls.set(callId, call);
    seenCalls.add(callId);
    const result = resultOf(event, newId);
    if (result !== undefined && turn.calls.has(callId)) turn.results.set(callId, result);
  }
  finishTurn();
  return [...messages, endMessage(run, turn, newId())];
}

/** Whether an event is not about an internal request, such as one for a second opinion. */
function isOfTurn(event: AgentEvent): boolean {
  return !("purpose" in event) || event.purpose === undefined;
}

function emptyTurn(at: number): TurnDraft {
  return { calls: new Map(), results: new Map(), text: "", at, model: "unknown", usage: noUsage };
}

/** Level 2 logs blocked calls without the other calls: half of a turn, which is left out. */
function hasCalls(events: readonly AgentEvent[]): boolean {
  return events.some(({ type }) => type === "ToolStart" || type === "GateDecision");
}

function turnMessages({ calls, results, text, at, model, usage }: TurnDraft, newId: () => string): readonly Message[] {
  const unknownResult = (callId: string, tool: string): ResultMessage => ({
    role: "tool",
    id: newId(),
    at,
    callId,
    tool,
    status: "interrupted",
    content:
      "The log holds no result of this call: its outcome is unknown. Verify what it did before you make it again.",
  });
  const textParts = text === "" ? [] : [{ type: "text", text } as const];
  return [
    { role: "assistant", id: newId(), at, parts: [...textParts, ...calls.values()], stop: "calls", model, usage },
    ...Array.from(calls.values(), (call) => results.get(call.id) ?? unknownResult(call.id, call.tool)),
  ];
}

function endMessage({ state, reason, text: answer, endedAt }: SavedRun, turn: TurnDraft, id: string): Message {
  const text = answer?.trim() || "(nothing)";
  const at = endedAt ?? turn.at;
  if (state !== "completed") return { ...rebuildNote(`The run ended here (${reason}): ${text}`, at), id };
  return {
    role: "assistant",
    id,
    at,
    parts: [{ type: "text", text }],
    stop: "end",
    model: turn.model,
    usage: noUsage,
  };
}

function userMessage(id: string, { at, text }: Extract<AgentEvent, { type: "UserMessage" }>): UserMessage {
  return { role: "user", id, at, origin: "person", text: String(text) };
}

function callOf(event: AgentEvent, isWithCalls: boolean): CallPart | undefined {
  if (event.type === "ToolEnd" && event.input !== undefined) return callPart(event.callId, event.tool, event.input);
  if (event.type === "ToolBlocked" && isWithCalls) return callPart(event.callId, event.tool, undefined);
  return event.type === "ToolStart" ? callPart(event.callId, event.tool, event.input) : undefined;
}

function callPart(id: string, tool: string, input: unknown): CallPart {
  if (isRecord(input)) return { type: "call", id, tool: String(tool), input };
  return { type: "call", id, tool: String(tool), input: undefined, problem: "The log does not hold the whole input." };
}

function resultOf(event: AgentEvent, newId: () => string): ResultMessage | undefined {
  if (event.type !== "ToolBlocked" && event.type !== "ToolEnd") return undefined;
  const { at, callId, tool } = event;
  const common = { role: "tool", id: newId(), at, callId, tool } as const;
  if (event.type === "ToolBlocked") return { ...common, status: "denied", content: String(event.message) };
  const status = event.status as ResultMessage["status"]; // the event has the status of the result
  return { ...common, status, content: String(event.content) };
}

function costsOf(sessionId: string, run: SavedRun, events: readonly AgentEvent[]): readonly CostRow[] {
  const { runId } = run;
  const rows: CostRow[] = [];
  let usage: Usage | undefined;
  for (const event of events) {
    if (event.type === "UsageUpdate") usage = isUsage(event.usage) ? event.usage : undefined;
    if (event.type !== "CostEvent" || !isCost(event.costNanoUsd)) continue;
    const { seq, at, costNanoUsd } = event;
    const model = String(event.model);
    const purpose = requestPurposes.find((name) => name === event.purpose);
    rows.push({
      id: `log_${runId}_${seq}`,
      sessionId,
      runId,
      model,
      at,
      usage: usage ?? noUsage,
      costNanoUsd,
      ...(purpose === undefined ? {} : { purpose }),
    });
    usage = undefined;
  }
  const isFree = run.usage.input === 0 && run.usage.output === 0 && !run.costNanoUsd;
  if (rows.length > 0 || isFree) return rows;
  const { startedAt: at, usage: total, costNanoUsd } = run;
  return [{ id: `log_${runId}`, sessionId, runId, model: "unknown", at, usage: total, costNanoUsd }];
}

function createIds(runId: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `log_${runId}_${count}`;
  };
}

/** Whether a log says what its run was started with: logs can be edited or damaged. */
function isSpec(spec: unknown): spec is RunSpec {
  return isRecord(spec) && isRecord(spec["settings"]);
}

type RunEnd = Extract<AgentEvent, { readonly result: RunResult }>;

/** Whether an event ends its run and has every value that is read from it: logs can be edited or damaged. */
function isEnd(event: AgentEvent): event is RunEnd {
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

/** Whether a line has a valid sequence number and time. */
function isStamped({ seq, at }: LogLine): boolean {
  const isTime = typeof at === "number" && at >= 0 && at <= 8.64e15;
  return isTime && Number.isSafeInteger(seq) && seq >= 1 && seq < eventSeqLimit;
}

function withoutLogFields({ level: _level, durationMs: _durationMs, reply: _reply, ...event }: LogLine): AgentEvent {
  return event as AgentEvent; // a line is an event with these three fields
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
