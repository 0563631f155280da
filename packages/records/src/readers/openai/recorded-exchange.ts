import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
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
  const prompt = inputItems(value);
  const items = [...prompt, ...replyItems(value)];
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
  const conversation = createConversation();
  const items = exchangeItems(value) ?? [];
  let leftOut = 0;
  for (const [index, item] of items.entries()) {
    const entry = `message ${index + 1}`;
    if (!isObject(item) || conversation.add(item, { ...position, entry }) !== "read") leftOut++;
  }
  const about = Array.isArray(value) ? {} : objectField(value);
  const { request, response } = about;
  const facts = { ...objectField(request), ...about, ...objectField(response) };
  const id = textField(facts["id"]) ?? textField(facts["conversation_id"]) ?? textField(facts["session_id"]);
  conversation.addUsage(facts["usage"], id);
  const run = conversation.run({ id: id ?? fallbackId, model: textField(facts["model"]) });
  if (run === undefined) return { run, problem: "this conversation has no reply of a model" };
  const what = "of unknown kinds, or results of unknown calls";
  return { run, problem: leftOut === 0 ? undefined : `${leftOut} messages were left out: ${what}` };
}
