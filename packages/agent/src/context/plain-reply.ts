import type { AssistantMessage, ReplyPart } from "../protocol/messages.ts";
import { jsonOf } from "./safe-json.ts";

/**
 * A reply that can be changed. Some providers keep what their model said and are sent only the names of those items (`itemId`): such items belong together,
 * and a change to one would not be seen. Without the names, and the thinking that exists only under them, the reply is sent as plain text and calls.
 */
export function detachReply(reply: AssistantMessage): AssistantMessage {
  return reply.parts.some(isNamed) ? withoutThinking(reply) : reply;
}

/** The reply without what the model thought; providers want that back for the newest reply only. */
export function withoutThinking(reply: AssistantMessage): AssistantMessage {
  const parts = reply.parts
    .filter((part) => part.type !== "thinking")
    .map((part) => (isNamed(part) ? withoutName(part) : part));
  if (parts.length === reply.parts.length && parts.every((part, index) => part === reply.parts[index])) return reply;
  // A reply of no parts is refused by some providers.
  return { ...reply, parts: parts.length > 0 ? parts : [{ type: "text", text: "[thinking left out]" }] };
}

function isNamed(part: ReplyPart): boolean {
  return (
    part.type !== "text" && part.providerMetadata !== undefined && jsonOf(part.providerMetadata).includes('"itemId"')
  );
}

function withoutName(part: ReplyPart): ReplyPart {
  if (part.type === "text") return part;
  const { providerMetadata: _, ...plain } = part;
  return plain;
}
