import type { AssistantMessage, ReplyPart } from "../protocol/messages.ts";
import { toSafeJson } from "./safe-json.ts";

/**
 * Makes a reply editable. Some providers store the items of a reply and are sent only their ids (`itemId`): the items
 * belong together, and a change to one would be ignored. Without the ids, and without the thinking that exists only
 * under an id, the reply is sent as plain text and calls.
 */
export function withoutItemIds(reply: AssistantMessage): AssistantMessage {
  return reply.parts.some(hasItemId) ? withoutThinking(reply) : reply;
}

/** Removes thinking and item ids; providers need them back for the newest reply only. */
export function withoutThinking(reply: AssistantMessage): AssistantMessage {
  if (!reply.parts.some((part) => part.type === "thinking" || hasItemId(part))) return reply;
  const parts = reply.parts
    .filter((part) => part.type !== "thinking")
    .map((part) => (hasItemId(part) ? withoutMetadata(part) : part));
  // Some providers refuse a reply without parts.
  return { ...reply, parts: parts.length > 0 ? parts : [{ type: "text", text: "[thinking left out]" }] };
}

function hasItemId(part: ReplyPart): boolean {
  if (part.type === "text" || part.providerMetadata === undefined) return false;
  return toSafeJson(part.providerMetadata).includes('"itemId"');
}

function withoutMetadata(part: ReplyPart): ReplyPart {
  if (part.type === "text") return part;
  const { providerMetadata: _, ...plain } = part;
  return plain;
}
