import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { isRecord } from "../protocol/json.ts";
import { createMessageCache, type MessageCache, type MessageReducer } from "../protocol/message-cache.ts";
import type { AssistantMessage, Message, ReplyPart, ResultMessage } from "../protocol/messages.ts";
import { pairCalls } from "../protocol/paired-messages.ts";
import { wellFormed } from "./well-formed.ts";

/** What a prompt is made of. */
export interface PromptSource {
  readonly system: string;
  readonly messages: readonly Message[];
  /** Holds converted messages, so that the next request converts only the new ones; default: nothing is reused. */
  readonly cache?: MessageCache;
}

/** Converts the conversation to the AI SDK's prompt. Every call is followed by exactly one result. */
export function toPrompt({ system, messages, cache = createMessageCache() }: PromptSource): LanguageModelV3Prompt {
  const conversation = cache.reduce(pairCalls(messages, cache), conversion);
  const prompt: LanguageModelV3Message[] =
    system.trim() === "" ? [] : [{ role: "system", content: system.toWellFormed() }];
  return markForCaching(prompt.concat(conversation));
}

const conversion: MessageReducer<LanguageModelV3Message[]> = {
  start: () => [],
  add(prompt, message) {
    const added = toPromptMessage(message);
    if (added === undefined) return prompt;
    const merged = mergeWithLast(prompt.at(-1), added);
    if (merged === undefined) prompt.push(added);
    else prompt[prompt.length - 1] = merged;
    return prompt;
  },
};

/** The results of one reply, and user messages in a row, become one message: some models require alternating roles. */
function mergeWithLast(
  last: LanguageModelV3Message | undefined,
  added: LanguageModelV3Message,
): LanguageModelV3Message | undefined {
  if (last?.role === "user" && added.role === "user")
    return { role: "user", content: [...last.content, ...added.content] };
  if (last?.role === "tool" && added.role === "tool")
    return { role: "tool", content: [...last.content, ...added.content] };
  return undefined;
}

/** Converts one message; undefined for a reply without content. */
function toPromptMessage(message: Message): LanguageModelV3Message | undefined {
  switch (message.role) {
    case "user": {
      const text = isBlank(message.text) ? "(no text)" : message.text.toWellFormed(); // providers refuse empty text
      return { role: "user", content: [{ type: "text", text }] };
    }
    case "assistant":
      return toReply(message);
    case "tool":
      return { role: "tool", content: [toResultPart(message)] };
    default:
      return message satisfies never;
  }
}

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];

function toReply({ parts }: AssistantMessage): LanguageModelV3Message | undefined {
  const lastContent = parts.findLastIndex((part) => part.type === "call" || isVisibleText(part));
  const content = parts
    .slice(0, lastContent + 1) // providers refuse thinking that no text or call follows
    .filter((part) => part.type !== "text" || isVisibleText(part))
    .map(toReplyPart);
  return content.length === 0 ? undefined : { role: "assistant", content };
}

function isVisibleText(part: ReplyPart): boolean {
  return part.type === "text" && !isBlank(part.text);
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function toReplyPart(part: ReplyPart): AssistantContent[number] {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text.toWellFormed() };
    case "thinking":
      // Unchanged, because it may be signed; a text that has to be repaired loses its signature.
      return part.text.isWellFormed()
        ? withOptions({ type: "reasoning", text: part.text }, part.providerMetadata)
        : { type: "reasoning", text: part.text.toWellFormed() };
    case "call":
      return withOptions(
        {
          type: "tool-call",
          toolCallId: part.id,
          toolName: acceptedName(part.tool),
          input: wellFormed(part.input ?? {}),
        },
        part.providerMetadata,
      );
    default:
      return part satisfies never;
  }
}

function toResultPart({ callId, tool, status, content }: ResultMessage): LanguageModelV3ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName: acceptedName(tool),
    output: { type: status === "ok" ? "text" : "error-text", value: content.toWellFormed() },
  };
}

/** Returns the metadata that a provider attached to a part as options: providers expect it back. */
function withOptions<Part extends AssistantContent[number]>(part: Part, metadata: unknown): Part {
  if (!isRecord(metadata)) return part;
  const entries = Object.entries(metadata).filter(([, value]) => isRecord(value));
  if (entries.length === 0) return part;
  // Objects by provider, and JSON, since a provider sent them.
  return { ...part, providerOptions: Object.fromEntries(entries) as SharedV3ProviderOptions };
}

/** Models invent tool names that providers refuse to read back. Names of real tools are not changed by this. */
function acceptedName(tool: string): string {
  return tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}

/**
 * Marks the system text and the end of the conversation for Anthropic's prompt cache, which makes a conversation that
 * only grows ten times cheaper to read. Other providers ignore the marks.
 */
function markForCaching(prompt: LanguageModelV3Message[]): LanguageModelV3Prompt {
  const last = prompt.length - 1;
  for (const index of [0, last]) {
    const message = prompt[index];
    if (message === undefined || (index !== last && message.role !== "system")) continue;
    prompt[index] = { ...message, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
  }
  return prompt;
}
