import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { prefixDigests } from "../conversation-prefix.ts";
import { listField, objectField, textField } from "../fields.ts";
import { createConversation, isItemType, isRole } from "./conversation.ts";

/** Whether this is a message of the chat API or an item of the Responses API. */
export function isItem(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { role, type, content, created, payload } = value;
  if (created !== undefined || payload !== undefined) return false; // messages of other agents
  const hasCalls = value["tool_calls"] !== undefined || value["function_call"] !== undefined;
  if (isRole(role)) return (type === undefined || type === "message") && (isContent(content) || hasCalls);
  return (
    type !== "message" && isItemType(type) && (textField(value["call_id"]) ?? textField(value["id"])) !== undefined
  );
}

function isContent(content: unknown): boolean {
  if (typeof content === "string" || content === null) return true;
  return Array.isArray(content) && content.every((part) => typeof part === "string" || isPart(part));
}

/** Parts of other agents have other types. */
function isPart(part: unknown): boolean {
  return isObject(part) && typeof part["type"] === "string" && !/^tool(?:Request|Response|Call|-)/.test(part["type"]);
}

/** The messages and items of a conversation, in any form in which programs keep one; undefined for other data. */
export function exchangeItems(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return isConversation(value) ? value : undefined;
  if (!isObject(value)) return undefined;
  const { request, response } = value;
  if (isObject(request) && exchangeItems(request) !== undefined)
    return [...(exchangeItems(request) ?? []), ...replyItems(objectField(response))];
  const reply = [value, objectField(response)].flatMap(replyItems); // logs keep it in a field beside the messages
  const items = [...inputItems(value), ...reply];
  return isConversation(items) ? items : undefined;
}

/** The messages that were sent: of the chat API, or the `input` of the Responses API. */
function inputItems({ messages, input, items }: JsonObject): readonly unknown[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return [messages, input, items].find(Array.isArray) ?? [];
}

/** What came back: `choices` of the chat API, the `output` of the Responses API, or a message of Anthropic. */
function replyItems(response: JsonObject): readonly unknown[] {
  const { choices, output, role } = response;
  const [choice] = listField(choices);
  const message = objectField(choice)["message"];
  return [...(isObject(message) ? [message] : []), ...listField(output), ...(role === "assistant" ? [response] : [])];
}

function isConversation(items: readonly unknown[]): boolean {
  const first = items.slice(0, 20);
  return first.some(isItem) && first.every((item) => isItem(item) || isObject(item));
}

/** The run of a conversation, if a model replied in it. */
export interface ExchangeRun {
  readonly run: RecordedRun | undefined;
  /** Why something was left out, or why there is no run. */
  readonly problem: string | undefined;
}

export function exchangeRun(value: unknown, fallbackId: string, position: RecordedPosition): ExchangeRun {
  const log = createExchangeLog(value, fallbackId);
  const problem = log.add(value, position);
  return { run: log.run(), problem };
}

/** The requests of one conversation, each of which repeats the messages of those before it. */
export interface ExchangeLog {
  /** Whether a later request, with these digests, begins with all messages of this conversation. */
  isContinuedBy(digests: readonly string[]): boolean;
  /** Adds what is new in a request, and returns why something was left out. */
  add(value: unknown, position: RecordedPosition): string | undefined;
  run(): RecordedRun | undefined;
}

/** Creates an empty conversation for this first request. */
export function createExchangeLog(first: unknown, fallbackId: string): ExchangeLog {
  const conversation = createConversation();
  const facts = factsOf(first);
  const id = facts.id ?? fallbackId;
  let { model } = facts;
  let count = 0;
  let prefix: string | undefined;
  return {
    isContinuedBy: (digests) => count > 0 && digests.length > count && digests[count - 1] === prefix,
    add(value, position) {
      const items = exchangeItems(value) ?? [];
      const lasting = lastingItems(value);
      const known = new Set(lasting.slice(0, count));
      const fresh = count === 0 ? items : items.slice(items.findLastIndex((item) => known.has(item)) + 1);
      let leftOut = 0;
      for (const item of fresh) {
        const entry = `message ${items.indexOf(item) + 1}`;
        if (!isObject(item) || conversation.add(item, { ...position, entry }) !== "read") leftOut++;
      }
      count = lasting.length;
      prefix = exchangeDigests(value).at(-1);
      const { usage, id: request, model: ownModel } = factsOf(value);
      model ??= ownModel;
      conversation.addUsage(usage, request);
      if (conversation.isEmpty) return "this conversation has no reply of a model";
      const what = "of unknown kinds, or results of unknown calls";
      return leftOut === 0 ? undefined : `${leftOut} messages were left out: ${what}`;
    },
    run: () => conversation.run({ id, model }),
  };
}

/** Digests of the beginnings of a request with its reply. */
export function exchangeDigests(value: unknown): readonly string[] {
  return prefixDigests(lastingItems(value));
}

/** The items that a later request repeats: prompts of the system may change, and reasoning may be left out. */
function lastingItems(value: unknown): readonly unknown[] {
  return (exchangeItems(value) ?? []).filter((item) => {
    const { role, type } = objectField(item);
    return role !== "system" && role !== "developer" && type !== "reasoning";
  });
}

interface Facts {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly usage: unknown;
}

function factsOf(value: unknown): Facts {
  const about = Array.isArray(value) ? {} : objectField(value);
  const { request, response } = about;
  const facts = { ...objectField(request), ...about, ...objectField(response) };
  const id = textField(facts["id"]) ?? textField(facts["conversation_id"]) ?? textField(facts["session_id"]);
  return { id, model: textField(facts["model"]), usage: facts["usage"] };
}
