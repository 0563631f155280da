import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { beginsWith } from "../context/begins-with.ts";
import type { AssistantMessage, CallPart, Message, ReplyPart, ResultMessage } from "../messages.ts";
import { callsOf } from "../messages.ts";
import { isRecord } from "./field.ts";
import { wellFormed } from "./well-formed.ts";

export interface PromptSource {
  readonly system: string;
  readonly messages: readonly Message[];
  /** Names of the tools there are now; calls of others are named so that every provider takes them back. */
  readonly toolNames: readonly string[];
}

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];
type UserContent = Extract<LanguageModelV3Message, { role: "user" }>["content"];

/**
 * The history as models read it. Every call is followed by exactly one result before anybody speaks again, whatever the history looks like:
 * results are moved to their calls, missing ones are told as unknown, and those without a call are left out.
 * Of a list that came before and has grown only the new messages are written; the parts of the others are the same objects again.
 */
export function toPrompt(source: PromptSource): LanguageModelV3Prompt {
  const [first] = source.messages;
  const before = first === undefined ? undefined : written.get(first);
  const list = before !== undefined && isContinued(before, source) ? before : beginning(source);
  if (first !== undefined && list !== before) written.set(first, list);
  list.isWhole = false; // until it is
  extend(list, source);
  list.isWhole = true;
  return withCacheMarks(list.prompt);
}

function extend(list: Written, { messages, toolNames }: PromptSource): void {
  const { results, prompt } = list;
  const last = prompt.at(-1);
  if (last?.role === "user") prompt[prompt.length - 1] = { role: "user", content: [...last.content] }; // an earlier request has the old one
  const added = messages.slice(list.messages.length);
  for (const message of added) if (message.role === "tool" && !results.has(message.callId)) results.set(message.callId, message);
  const names = new Set(toolNames);
  for (const message of added) {
    list.messages.push(message);
    if (message.role === "user") addUser(prompt, message.text);
    if (message.role !== "assistant") continue;
    addReply(prompt, message, { results, names });
    list.isAnswered &&= callsOf(message).every(({ id }) => results.has(id));
  }
  list.source = messages;
}

/** What was made of a list of messages, for when it comes again with more. */
interface Written extends PromptSource {
  /** The list itself: one that comes again has only grown. */
  source: readonly Message[];
  readonly messages: Message[];
  readonly results: Map<string, ResultMessage>;
  readonly prompt: LanguageModelV3Message[];
  /** Every call has its result: nothing that comes later changes what was written. */
  isAnswered: boolean;
  /** Nothing was thrown while it was written. */
  isWhole: boolean;
}

/** One list for each first message. Messages do not change, and those of a forgotten history leave the map. */
const written = new WeakMap<Message, Written>();

function beginning({ system, toolNames }: PromptSource): Written {
  const prompt: LanguageModelV3Message[] = system.trim() === "" ? [] : [{ role: "system", content: wellFormed(system) }];
  return { system, toolNames, source: [], messages: [], results: new Map(), prompt, isAnswered: true, isWhole: false };
}

function isContinued(before: Written, { system, messages, toolNames }: PromptSource): boolean {
  const isSameRequest =
    before.system === system && before.toolNames.length === toolNames.length && before.toolNames.every((name, at) => name === toolNames[at]);
  return isSameRequest && before.isAnswered && before.isWhole && (before.source === messages || beginsWith(messages, before.messages));
}

/** Messages of users in a row become one: some models want the roles to alternate. */
function addUser(prompt: LanguageModelV3Message[], text: string): void {
  const part: UserContent[number] = { type: "text", text: isBlank(text) ? "(no text)" : wellFormed(text) }; // providers refuse empty text
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(part);
  else prompt.push({ role: "user", content: [part] });
}

interface Known {
  readonly results: ReadonlyMap<string, ResultMessage>;
  readonly names: ReadonlySet<string>;
}

function addReply(prompt: LanguageModelV3Message[], message: AssistantMessage, { results, names }: Known): void {
  const lastSaid = message.parts.findLastIndex((part) => part.type === "call" || (part.type === "text" && !isBlank(part.text)));
  const content = message.parts.slice(0, lastSaid + 1).flatMap((part) => replyPart(part, names)); // thoughts that led to nothing are refused by providers
  if (content.length === 0) return;
  prompt.push({ role: "assistant", content });
  const calls = callsOf(message);
  if (calls.length > 0) prompt.push({ role: "tool", content: calls.map((call) => resultPart(call, results.get(call.id), names)) });
}

function replyPart(part: ReplyPart, names: ReadonlySet<string>): AssistantContent {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? [] : [{ type: "text", text: wellFormed(part.text) }];
    case "thinking":
      return [{ type: "reasoning", text: part.text, ...givenBack(part.providerMetadata) }]; // as it came: it may be signed
    case "call":
      return [{ type: "tool-call", toolCallId: part.id, toolName: nameOf(part.tool, names), input: part.input ?? {}, ...givenBack(part.providerMetadata) }];
    default:
      return part satisfies never;
  }
}

function resultPart(call: CallPart, result: ResultMessage | undefined, names: ReadonlySet<string>): LanguageModelV3ToolResultPart {
  const value = wellFormed(result?.content ?? call.problem ?? "No result was recorded: it is unknown whether this call was run. Verify before you repeat it.");
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: nameOf(call.tool, names),
    output: { type: result?.status === "ok" ? "text" : "error-text", value },
  };
}

/** What a provider attached to a part, it wants back under the name of options. */
function givenBack(metadata: unknown): { readonly providerOptions?: SharedV3ProviderOptions } {
  if (!isRecord(metadata)) return {};
  const entries = Object.entries(metadata).filter(([, value]) => isRecord(value));
  if (entries.length === 0) return {};
  return { providerOptions: Object.fromEntries(entries) as SharedV3ProviderOptions }; // objects by provider, and JSON because a provider made them
}

/** Models make up names that providers then refuse to read back. */
function nameOf(tool: string, names: ReadonlySet<string>): string {
  return names.has(tool) ? tool : tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Anthropic caches what comes before a mark; a conversation that only grows is then read at a tenth of the price. Others pass the marks over. */
function withCacheMarks(prompt: readonly LanguageModelV3Message[]): LanguageModelV3Prompt {
  const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const marked = prompt.slice();
  const mark = (index: number) => {
    const message = prompt[index];
    if (message !== undefined && (message.role === "system" || index > 0 || prompt.length === 1)) marked[index] = { ...message, providerOptions };
  };
  mark(0);
  mark(prompt.length - 1);
  return marked;
}
