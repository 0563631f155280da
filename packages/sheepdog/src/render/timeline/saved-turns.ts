import type { AgentEvent, AgentEventBody, AssistantMessage, CallPart, Message, ResultMessage } from "@sheepdog/agent";

/** A turn of a saved run: its events, completed from the messages, and what the user said at its end. */
export interface SavedTurn {
  readonly events: readonly AgentEvent[];
  readonly steering: readonly string[];
}

/**
 * Joins the events and the messages of a run into turns. Events before the first turn, or at a resume, are an entry of
 * their own. A reply without events, left by a process that crashed within a turn, is a turn of its own.
 */
export function savedTurns(events: readonly AgentEvent[], messages: readonly Message[]): readonly SavedTurn[] {
  const replies = repliesIn(messages);
  const callIdsInEvents = new Set(events.flatMap((event) => ("callId" in event ? [event.callId] : [])));
  const hasCallEvents = (reply: Reply) => reply.calls.some(({ id }) => callIdsInEvents.has(id));
  const segments = splitAtTurns(events);
  const turns: SavedTurn[] = [];
  let nextReply = 0;
  let turn = -1;
  const addRepliesWithoutEvents = (before: number) => {
    for (
      let reply = replies[nextReply];
      reply !== undefined && reply.message.at < before && !hasCallEvents(reply);
      reply = replies[nextReply]
    ) {
      turn += 1;
      nextReply += 1;
      turns.push(turnFromReply(reply, turn));
    }
  };
  for (const [index, segment] of segments.entries()) {
    addRepliesWithoutEvents(segment[0]?.at ?? 0);
    turn = segment.reduce((newest, event) => (event.type === "TurnStarted" ? event.turn : newest), turn);
    const reply = replies[nextReply];
    const until = segments[index + 1]?.[0]?.at ?? Number.POSITIVE_INFINITY;
    if (reply === undefined || !belongsTo(segment, reply, { hasCallEvents: hasCallEvents(reply), until }))
      turns.push({ events: segment, steering: [] });
    else {
      nextReply += 1;
      turns.push({ events: completeEvents(segment, reply), steering: reply.steering });
    }
  }
  addRepliesWithoutEvents(Number.POSITIVE_INFINITY);
  return turns;
}

/** A reply with the results of its calls, and what the user said before the next reply. */
interface Reply {
  readonly message: AssistantMessage;
  readonly calls: readonly CallPart[];
  readonly results: Map<string, ResultMessage>;
  readonly steering: string[];
}

function repliesIn(messages: readonly Message[]): readonly Reply[] {
  const replies: Reply[] = [];
  for (const message of messages) {
    const last = replies.at(-1);
    if (message.role === "assistant")
      replies.push({
        message,
        calls: message.parts.filter((part) => part.type === "call"),
        results: new Map(),
        steering: [],
      });
    else if (message.role === "tool") last?.results.set(message.callId, message);
    else if (message.origin === "person") last?.steering.push(message.text);
  }
  return replies;
}

/** Splits events at the start of each turn, and where the run was started or resumed. */
function splitAtTurns(events: readonly AgentEvent[]): readonly (readonly AgentEvent[])[] {
  const segments: AgentEvent[][] = [];
  for (const event of events) {
    if (segments.length === 0 || event.type === "TurnStarted" || event.type === "RunStarted") segments.push([]);
    segments.at(-1)?.push(event);
  }
  return segments;
}

/** Whether a reply belongs to a segment: by its calls if they have events, else by the time of the reply. */
function belongsTo(
  segment: readonly AgentEvent[],
  { message, calls }: Reply,
  { hasCallEvents, until }: { readonly hasCallEvents: boolean; readonly until: number },
): boolean {
  if (hasCallEvents) return segment.some((event) => "callId" in event && calls.some(({ id }) => id === event.callId));
  return segment.some(({ type }) => type === "StreamEnd") && message.at <= until;
}

function turnFromReply(reply: Reply, turn: number): SavedTurn {
  const events = [
    syntheticEvent(reply, { type: "TurnStarted", turn }),
    syntheticEvent(reply, { type: "StreamEnd", isComplete: true }),
  ];
  return { events: completeEvents(events, reply), steering: reply.steering };
}

/**
 * Adds to a segment what only the messages hold: the streamed text before the end of the stream, calls without events
 * after it, the start of a refused call before its refusal, and missing ends of calls at the end.
 */
function completeEvents(segment: readonly AgentEvent[], reply: Reply): readonly AgentEvent[] {
  const callIdsOf = (type: AgentEvent["type"]) =>
    new Set(segment.flatMap((event) => (event.type === type && "callId" in event ? [event.callId] : [])));
  const [started, ended, refused] = [callIdsOf("ToolStart"), callIdsOf("ToolEnd"), callIdsOf("ToolBlocked")];
  const missingStart = (call: CallPart) => (started.has(call.id) ? [] : [startEvent(reply, call)]);
  const callsWithoutEvents = reply.calls
    .filter(({ id }) => !started.has(id) && !ended.has(id) && !refused.has(id))
    .flatMap((call) => [startEvent(reply, call), ...endEvents(reply, call)]);
  const missingEnds = reply.calls
    .filter(({ id }) => started.has(id) && !ended.has(id) && !refused.has(id))
    .flatMap((call) => endEvents(reply, call));
  const streamEnd = segment.findLastIndex(({ type }) => type === "StreamEnd");
  const cutOff = segment.findIndex(
    (event, index) =>
      index < streamEnd && event.type === "GuardianIntervention" && event.intervention.surplus !== undefined,
  );
  const textIndex = cutOff < 0 ? streamEnd : cutOff; // text that was cut off came before the intervention
  const beforeCalls = segment.findIndex((event) => "callId" in event) - 1; // used without a stream end
  const events = segment.flatMap((event, index) => {
    const blockedCall = event.type === "ToolBlocked" ? reply.calls.find(({ id }) => id === event.callId) : undefined;
    const withStart = blockedCall === undefined ? [event] : [...missingStart(blockedCall), event];
    if (streamEnd < 0)
      return index === beforeCalls ? [...withStart, ...textEvents(reply), ...callsWithoutEvents] : withStart;
    return [
      ...(index === textIndex ? textEvents(reply) : []),
      ...withStart,
      ...(index === streamEnd ? callsWithoutEvents : []),
    ];
  });
  return [...events, ...missingEnds];
}

function textEvents(reply: Reply): readonly AgentEvent[] {
  return reply.message.parts.flatMap((part) => {
    if (part.type === "call") return [];
    return [syntheticEvent(reply, { type: part.type === "text" ? "TextDelta" : "ThinkingDelta", text: part.text })];
  });
}

function startEvent(reply: Reply, { id, tool, input, problem }: CallPart): AgentEvent {
  return syntheticEvent(reply, { type: "ToolStart", callId: id, tool, input: input ?? problem });
}

/** Empty when the call has no result. */
function endEvents(reply: Reply, { id, tool }: CallPart): readonly AgentEvent[] {
  const result = reply.results.get(id);
  if (result === undefined) return [];
  const { status, content } = result;
  const ms = Math.max(0, result.at - reply.message.at);
  return [syntheticEvent(reply, { type: "ToolEnd", callId: id, tool, status, content, ms })];
}

/** An event rebuilt from a message. */
function syntheticEvent({ message: { at } }: Reply, body: AgentEventBody): AgentEvent {
  return { ...body, seq: 0, at, sessionId: "", runId: "", severity: "info" };
}
