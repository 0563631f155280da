import type { AIMessage, BaseMessage, ToolMessage, UsageMetadata } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LoopGuard } from "../guard/loop-guard.ts";

/** The messages after the one with this id; undefined if there is none. */
export function messagesAfter(messages: readonly BaseMessage[], id: string | undefined): BaseMessage[] | undefined {
  const index = id === undefined ? -1 : messages.findLastIndex((message) => message.id === id);
  return index < 0 ? undefined : messages.slice(index + 1);
}

export function isReply(message: BaseMessage): message is AIMessage {
  return message.type === "ai";
}

export function isResult(message: BaseMessage): message is ToolMessage {
  return message.type === "tool";
}

/** A message that a person may have written: not a notice, and not the summary of older messages. */
export function isFromPerson(message: BaseMessage): boolean {
  if (message.type !== "human" || message.text.startsWith("<sheepdog-notice ")) return false;
  return message.additional_kwargs["lc_source"] === undefined; // set by middleware that writes summaries
}

/** The calls of a reply: those that are executed, and the messages for those that are refused. */
export interface AnnouncedCalls {
  readonly openCalls: readonly string[];
  readonly refusals: Readonly<Record<string, string>>;
}

/** Reports a reply with its calls and what it used. */
export function reportReply(guard: LoopGuard, reply: AIMessage): AnnouncedCalls {
  reportUsage(guard, reply);
  if (hasNoCalls(reply)) guard.reply(reply.text);
  return announceCalls(guard, reply.tool_calls ?? []);
}

export function hasNoCalls(reply: AIMessage): boolean {
  return (reply.tool_calls ?? []).length === 0;
}

/** Announces calls. A call without an id is left out: no result can be told to belong to it. */
export function announceCalls(guard: LoopGuard, calls: readonly ToolCall[]): AnnouncedCalls {
  const openCalls: string[] = [];
  const refusals: Record<string, string> = {};
  for (const { id, name, args } of calls) {
    if (!id) continue;
    const decision = guard.beforeCall({ id, tool: name, args });
    if (decision.allow) openCalls.push(id);
    else refusals[id] = decision.message;
  }
  return { openCalls, refusals };
}

/** Reports what a request used, if the model states it. */
function reportUsage(guard: LoopGuard, { usage_metadata, response_metadata: response }: AIMessage): void {
  const usage = usage_metadata as UsageMetadata | undefined; // its declared type depends on the structure of messages
  if (usage === undefined) return;
  const model = (response as { readonly model_name?: unknown } | undefined)?.model_name; // checked in the next line
  guard.usage({
    model: typeof model === "string" ? model : undefined,
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadTokens: usage.input_token_details?.cache_read,
    cacheWriteTokens: usage.input_token_details?.cache_creation,
  });
}

/** Reports the result of a call that was executed. */
export function reportResult(guard: LoopGuard, result: ToolMessage, openCalls: readonly string[]): void {
  const { tool_call_id: id, status, content } = result;
  if (openCalls.includes(id)) guard.afterCall(id, { status: status === "error" ? "error" : "ok", content });
}
