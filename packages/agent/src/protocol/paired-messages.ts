import { type AssistantMessage, callsOf, type Message, type ResultMessage } from "./messages.ts";

/**
 * The messages with exactly one result behind each call, before anything else is said: what providers insist on. A history of ours is like that and is given
 * back as it is; in a damaged one results are put behind their calls, results of nothing are left out, and a missing result is told as unknown.
 */
export function pairCalls(messages: readonly Message[]): readonly Message[] {
  if (isSettled(messages)) return messages;
  const results = resultsByReply(messages);
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role === "tool") return [];
    return message.role === "assistant" ? [message, ...allResults(message, results.get(index) ?? [])] : [message];
  });
}

/** How much of a list was found in order. Lists only ever grow, and so only the new messages are looked at. */
interface InOrder {
  length: number;
  last: Message | undefined;
}

const inOrder = new WeakMap<readonly Message[], InOrder>();

function isSettled(messages: readonly Message[]): boolean {
  const known = inOrder.get(messages);
  const from = known !== undefined && messages[known.length - 1] === known.last ? known.length : 0;
  if (!isSettledFrom(messages, from)) return false;
  const { length } = messages;
  const last = messages[length - 1];
  if (known === undefined) inOrder.set(messages, { length, last });
  else {
    known.length = length;
    known.last = last;
  }
  return true;
}

function isSettledFrom(messages: readonly Message[], from: number): boolean {
  const open: string[] = [];
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index] as Message; // in bounds
    if (message.role === "tool") {
      if (!closes(open, message.callId)) return false;
      continue;
    }
    if (open.length > 0) return false;
    if (message.role === "assistant") for (const part of message.parts) if (part.type === "call") open.push(part.id);
  }
  return open.length === 0;
}

/** Takes a call off those that are open. Results nearly always come in the order of their calls. */
function closes(open: string[], callId: string): boolean {
  const place = open.indexOf(callId);
  if (place < 0) return false;
  if (place === open.length - 1) open.pop();
  else open.splice(place, 1);
  return true;
}

/** The results that belong to the reply at an index. */
function resultsByReply(messages: readonly Message[]): ReadonlyMap<number, readonly ResultMessage[]> {
  const open = new Map<string, number>();
  const results = new Map<number, ResultMessage[]>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") for (const { id } of callsOf(message)) open.set(id, index);
    if (message.role !== "tool") continue;
    const reply = open.get(message.callId);
    if (reply === undefined) continue;
    open.delete(message.callId);
    const known = results.get(reply);
    if (known === undefined) results.set(reply, [message]);
    else known.push(message);
  }
  return results;
}

function allResults(reply: AssistantMessage, results: readonly ResultMessage[]): readonly ResultMessage[] {
  const answered = new Set(results.map(({ callId }) => callId));
  const missing = new Map(
    callsOf(reply).flatMap((call) => (answered.has(call.id) ? [] : [[call.id, call.tool] as const])),
  );
  return [...results, ...Array.from(missing, ([callId, tool]) => unknownResult(reply, callId, tool))];
}

function unknownResult(reply: AssistantMessage, callId: string, tool: string): ResultMessage {
  const content =
    "No result of this call was recorded: its outcome is unknown. Verify what it did before you make it again.";
  return { role: "tool", id: `unknown:${callId}`, at: reply.at, callId, tool, status: "interrupted", content };
}
