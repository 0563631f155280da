import type { AgentEvent, AgentEventBody, AssistantMessage, CallPart, Message, ResultMessage } from "@sheepdog/agent";

/** A turn as it was: its events, with the words put back that are kept as messages only, and what a person said at its end. */
export interface KeptTurn {
  readonly events: readonly AgentEvent[];
  readonly said: readonly string[];
}

/**
 * The turns of a run. What happened before the first, or as it was resumed, stands for itself; a reply that no event tells of, as where a process ended
 * within a turn, is a turn of its own.
 */
export function keptTurns(events: readonly AgentEvent[], messages: readonly Message[]): readonly KeptTurn[] {
  const replies = repliesOf(messages);
  const told = new Set(events.flatMap((event) => ("callId" in event ? [event.callId] : [])));
  const isTold = (reply: Reply) => reply.calls.some(({ id }) => told.has(id));
  const stretches = stretchesOf(events);
  const turns: KeptTurn[] = [];
  let next = 0;
  let turn = -1;
  const addUntold = (before: number) => {
    for (
      let reply = replies[next];
      reply !== undefined && reply.message.at < before && !isTold(reply);
      reply = replies[next]
    ) {
      turn += 1;
      next += 1;
      turns.push(wholeTurn(reply, turn));
    }
  };
  for (const [place, stretch] of stretches.entries()) {
    addUntold(stretch[0]?.at ?? 0);
    turn = stretch.reduce((newest, event) => (event.type === "TurnStarted" ? event.turn : newest), turn);
    const reply = replies[next];
    const until = stretches[place + 1]?.[0]?.at ?? Number.POSITIVE_INFINITY;
    if (reply === undefined || !isReplyOf(reply, stretch, { isTold: isTold(reply), until }))
      turns.push({ events: stretch, said: [] });
    else {
      next += 1;
      turns.push({ events: putBack(stretch, reply), said: reply.said });
    }
  }
  addUntold(Number.POSITIVE_INFINITY);
  return turns;
}

/** A reply with what came of its calls, and what a person said before the next. */
interface Reply {
  readonly message: AssistantMessage;
  readonly calls: readonly CallPart[];
  readonly results: Map<string, ResultMessage>;
  readonly said: string[];
}

function repliesOf(messages: readonly Message[]): readonly Reply[] {
  const replies: Reply[] = [];
  for (const message of messages) {
    const last = replies.at(-1);
    if (message.role === "assistant")
      replies.push({
        message,
        calls: message.parts.filter((part) => part.type === "call"),
        results: new Map(),
        said: [],
      });
    else if (message.role === "tool") last?.results.set(message.callId, message);
    else if (message.origin === "person") last?.said.push(message.text);
  }
  return replies;
}

/** Cut where turns begin, and where the run was begun or resumed. */
function stretchesOf(events: readonly AgentEvent[]): readonly (readonly AgentEvent[])[] {
  const stretches: AgentEvent[][] = [];
  for (const event of events) {
    if (stretches.length === 0 || event.type === "TurnStarted" || event.type === "RunStarted") stretches.push([]);
    stretches.at(-1)?.push(event);
  }
  return stretches;
}

/** By its calls where some of them were told, else by the time it came. */
function isReplyOf(
  { message, calls }: Reply,
  stretch: readonly AgentEvent[],
  { isTold, until }: { readonly isTold: boolean; readonly until: number },
): boolean {
  if (isTold) return stretch.some((event) => "callId" in event && calls.some(({ id }) => id === event.callId));
  return stretch.some(({ type }) => type === "StreamEnd") && message.at <= until;
}

function wholeTurn(reply: Reply, turn: number): KeptTurn {
  const events = [
    eventLike(reply, { type: "TurnStarted", turn }),
    eventLike(reply, { type: "StreamEnd", isComplete: true }),
  ];
  return { events: putBack(events, reply), said: reply.said };
}

/** What streamed goes before the end of the stream, calls that no event tells of behind it, what a refused call was asked before its refusal, and an end that was not told at the end. */
function putBack(stretch: readonly AgentEvent[], reply: Reply): readonly AgentEvent[] {
  const of = (type: AgentEvent["type"]) =>
    new Set(stretch.flatMap((event) => (event.type === type && "callId" in event ? [event.callId] : [])));
  const [begun, ended, refused] = [of("ToolStart"), of("ToolEnd"), of("ToolBlocked")];
  const starts = (call: CallPart) => (begun.has(call.id) ? [] : [startOf(reply, call)]);
  const untold = reply.calls
    .filter(({ id }) => !begun.has(id) && !ended.has(id) && !refused.has(id))
    .flatMap((call) => [startOf(reply, call), ...endOf(reply, call)]);
  const open = reply.calls
    .filter(({ id }) => begun.has(id) && !ended.has(id) && !refused.has(id))
    .flatMap((call) => endOf(reply, call));
  const end = stretch.findLastIndex(({ type }) => type === "StreamEnd");
  const cut = stretch.findIndex(
    (event, place) => place < end && event.type === "GuardianIntervention" && event.intervention.surplus !== undefined,
  );
  const streamed = cut < 0 ? end : cut; // what was cut off was said before the guardian spoke
  const behind = end < 0 ? stretch.findIndex((event) => "callId" in event) - 1 : end;
  const events = stretch.flatMap((event, place) => {
    const call = event.type === "ToolBlocked" ? reply.calls.find(({ id }) => id === event.callId) : undefined;
    const own = call === undefined ? [event] : [...starts(call), event];
    if (end < 0) return place === behind ? [...own, ...streamOf(reply), ...untold] : own;
    return [...(place === streamed ? streamOf(reply) : []), ...own, ...(place === end ? untold : [])];
  });
  return [...events, ...open];
}

function streamOf(reply: Reply): readonly AgentEvent[] {
  return reply.message.parts.flatMap((part) => {
    if (part.type === "call") return [];
    return [eventLike(reply, { type: part.type === "text" ? "TextDelta" : "ThinkingDelta", text: part.text })];
  });
}

function startOf(reply: Reply, { id, tool, input, problem }: CallPart): AgentEvent {
  return eventLike(reply, { type: "ToolStart", callId: id, tool, input: input ?? problem });
}

function endOf(reply: Reply, { id, tool }: CallPart): readonly AgentEvent[] {
  const result = reply.results.get(id);
  if (result === undefined) return [];
  const { status, content } = result;
  return [
    eventLike(reply, {
      type: "ToolEnd",
      callId: id,
      tool,
      status,
      content,
      ms: Math.max(0, result.at - reply.message.at),
    }),
  ];
}

/** An event that was not kept, as it may have been. */
function eventLike({ message: { at } }: Reply, body: AgentEventBody): AgentEvent {
  return { ...body, seq: 0, at, sessionId: "", runId: "", severity: "info" };
}
