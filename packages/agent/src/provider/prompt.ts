import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { beginsWith } from "../context/begins-with.ts";
import type { AssistantMessage, CallPart, Message, ReplyPart, ResultMessage } from "../protocol/messages.ts";
import { isRecord } from "./field-access.ts";
import { isBlank } from "./is-blank.ts";
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

function extend(list: Written, { messages }: PromptSource): void {
  const { results, prompt } = list;
  const from = list.messages.length;
  const last = prompt.at(-1);
  if (last?.role === "user") prompt[prompt.length - 1] = { role: "user", content: last.content.slice() }; // an earlier request has the old one
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index];
    if (message?.role === "tool" && !results.has(message.callId)) results.set(message.callId, message);
  }
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index] as Message; // in bounds
    list.messages.push(message);
    if (message.role === "user") addUser(prompt, message.text);
    if (message.role === "assistant") addReply(list, message);
  }
  list.source = messages;
}

/** What was made of a list of messages, for when it comes again with more. */
interface Written extends PromptSource {
  /** The list itself: one that comes again has only grown. */
  source: readonly Message[];
  readonly messages: Message[];
  readonly results: Map<string, ResultMessage>;
  readonly names: ReadonlySet<string>;
  readonly prompt: LanguageModelV3Message[];
  /** Every call has its result: nothing that comes later changes what was written. */
  isAnswered: boolean;
  /** Nothing was thrown while it was written. */
  isWhole: boolean;
}

/** One list for each first message. Messages do not change, and those of a forgotten history leave the map. */
const written = new WeakMap<Message, Written>();

function beginning({ system, toolNames }: PromptSource): Written {
  const prompt: LanguageModelV3Message[] =
    system.trim() === "" ? [] : [{ role: "system", content: wellFormed(system) }];
  return {
    system,
    toolNames,
    source: [],
    messages: [],
    results: new Map(),
    names: new Set(toolNames),
    prompt,
    isAnswered: true,
    isWhole: false,
  };
}

function isContinued(before: Written, { system, messages, toolNames }: PromptSource): boolean {
  const isSameRequest =
    before.system === system && (before.toolNames === toolNames || isSameList(before.toolNames, toolNames));
  return (
    isSameRequest &&
    before.isAnswered &&
    before.isWhole &&
    (before.source === messages || beginsWith(messages, before.messages))
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

/** Messages of users in a row become one: some models want the roles to alternate. */
function addUser(prompt: LanguageModelV3Message[], text: string): void {
  const part: UserContent[number] = { type: "text", text: isBlank(text) ? "(no text)" : wellFormed(text) }; // providers refuse empty text
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(part);
  else prompt.push({ role: "user", content: [part] });
}

function addReply(list: Written, { parts }: AssistantMessage): void {
  const { results, names } = list;
  const content: AssistantContent = [];
  const answers: LanguageModelV3ToolResultPart[] = [];
  const end = lastSaid(parts) + 1; // thoughts that led to nothing are refused by providers
  for (let index = 0; index < end; index += 1) {
    const part = parts[index] as ReplyPart; // in bounds
    if (part.type === "text" && isBlank(part.text)) continue;
    content.push(replyPart(part, names));
    if (part.type !== "call") continue;
    const result = results.get(part.id);
    answers.push(resultPart(part, result, names));
    list.isAnswered &&= result !== undefined;
  }
  if (content.length > 0) list.prompt.push({ role: "assistant", content: content.slice() }); // copies have no room to spare, and are kept as long as the history
  if (answers.length > 0) list.prompt.push({ role: "tool", content: answers.slice() });
}

/** Where the last part is that says or calls something; -1 where there is none. */
function lastSaid(parts: readonly ReplyPart[]): number {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part?.type === "call" || (part?.type === "text" && !isBlank(part.text))) return index;
  }
  return -1;
}

function replyPart(part: ReplyPart, names: ReadonlySet<string>): AssistantContent[number] {
  switch (part.type) {
    case "text":
      return { type: "text", text: wellFormed(part.text) };
    case "thinking":
      return withOptions({ type: "reasoning", text: part.text }, part.providerMetadata); // as it came: it may be signed
    case "call":
      return withOptions(
        { type: "tool-call", toolCallId: part.id, toolName: nameOf(part.tool, names), input: part.input ?? {} },
        part.providerMetadata,
      );
    default:
      return part satisfies never;
  }
}

function resultPart(
  call: CallPart,
  result: ResultMessage | undefined,
  names: ReadonlySet<string>,
): LanguageModelV3ToolResultPart {
  const value = wellFormed(
    result?.content ??
      call.problem ??
      "No result was recorded: it is unknown whether this call was run. Verify before you repeat it.",
  );
  return {
    type: "tool-result",
    toolCallId: call.id,
    toolName: nameOf(call.tool, names),
    output: { type: result?.status === "ok" ? "text" : "error-text", value },
  };
}

/** What a provider attached to a part, it wants back under the name of options. */
function withOptions<Part extends AssistantContent[number]>(part: Part, metadata: unknown): Part {
  if (!isRecord(metadata)) return part;
  const entries = Object.entries(metadata).filter(([, value]) => isRecord(value));
  if (entries.length === 0) return part;
  return { ...part, providerOptions: Object.fromEntries(entries) as SharedV3ProviderOptions }; // objects by provider, and JSON because a provider made them
}

/** Models make up names that providers then refuse to read back. */
function nameOf(tool: string, names: ReadonlySet<string>): string {
  return names.has(tool) ? tool : tool.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}

/**
 * Anthropic caches what comes before a mark; a conversation that only grows is then read at a tenth of the price. Others pass the marks over.
 * The list is a copy, as it is given away: of places only, which is quick however long the conversation is.
 */
function withCacheMarks(prompt: readonly LanguageModelV3Message[]): LanguageModelV3Prompt {
  const given = prompt.slice();
  const first = given[0];
  const end = given.length - 1;
  const last = given[end];
  if (first === undefined || last === undefined) return given;
  const options = { anthropic: { cacheControl: { type: "ephemeral" } } };
  if (first.role === "system" || end === 0) given[0] = marked(first, options);
  if (end > 0) given[end] = marked(last, options);
  return given;
}

function marked(
  { role, content }: LanguageModelV3Message,
  providerOptions: SharedV3ProviderOptions,
): LanguageModelV3Message {
  return { role, content, providerOptions } as LanguageModelV3Message; // the content is that of the role
}
