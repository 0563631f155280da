import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import { contentBlocks } from "../anthropic/content.ts";
import { prefixDigests } from "../conversation-prefix.ts";
import { listField, objectField, textField } from "../fields.ts";

/** A conversation with Anthropic's Messages API: what was sent, and the reply if it was kept. */
export interface Exchange {
  readonly messages: readonly JsonObject[];
  /** The message that came back; `usage`, `model` and `id` are in it. */
  readonly response: JsonObject | undefined;
  readonly model: string | undefined;
  /** An id of the whole conversation. */
  readonly id: string | undefined;
  readonly at: unknown;
  /** The digests of the beginnings of the messages. */
  prefixes(): readonly string[];
}

/**
 * The conversation in any of the forms in which programs keep one: a list of messages, a request, or a request beside
 * its response. undefined for other data, also for messages of other APIs.
 */
export function anthropicExchange(value: unknown): Exchange | undefined {
  const exchange = Array.isArray(value)
    ? plainExchange({ messages: value })
    : isObject(value)
      ? pairOf(value)
      : undefined;
  return exchange !== undefined && isAnthropic(exchange) ? exchange : undefined;
}

function pairOf(value: JsonObject): Exchange | undefined {
  const request = bodyOf(value["request"]) ?? bodyOf(value["request_body"]) ?? bodyOf(value["input"]) ?? value;
  const exchange = plainExchange(request);
  if (exchange === undefined) return undefined;
  const response = [value["response"], value["response_body"], value["output"]].map(bodyOf).find(isReply);
  const { id, conversation_id: conversation, session_id: session, timestamp, created_at: createdAt } = value;
  return {
    ...exchange,
    response,
    model: textField(response?.["model"]) ?? exchange.model ?? textField(value["model"]),
    id: textField(conversation) ?? textField(session) ?? textField(id),
    at: timestamp ?? createdAt,
  };
}

/** The object itself, its body, or the object in a text. */
function bodyOf(value: unknown): JsonObject | undefined {
  if (typeof value === "string") return bodyOf(parsedObject(value));
  if (!isObject(value)) return undefined;
  const { body } = value;
  return body === undefined ? value : bodyOf(body);
}

function parsedObject(text: string): unknown {
  const parsed = text.startsWith("{") ? parseJson(text) : undefined;
  return parsed?.ok ? parsed.value : undefined;
}

function plainExchange({ messages, model }: JsonObject): Exchange | undefined {
  const list = listField(messages).filter(isObject);
  if (list.length === 0) return undefined;
  let digests: readonly string[] | undefined;
  const prefixes = () => {
    digests ??= prefixDigests(list);
    return digests;
  };
  return { messages: list, response: undefined, model: textField(model), id: undefined, at: undefined, prefixes };
}

function isReply(value: JsonObject | undefined): value is JsonObject {
  return value?.["role"] === "assistant" && Array.isArray(value["content"]);
}

const ownBlocks: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_result",
  "server_tool_use",
  "mcp_tool_use",
  "thinking",
  "redacted_thinking",
]);

/** Plain texts may belong to any API: something must be as only Anthropic writes it, and nothing as others do. */
function isAnthropic({ messages, response, model }: Exchange): boolean {
  const all = response === undefined ? messages : [...messages, response];
  if (!all.every(isMessage)) return false;
  return all.some(hasOwnTraits) || /claude/.test(model ?? "");
}

function isMessage(message: JsonObject): boolean {
  const { role, content, tool_calls: toolCalls } = message;
  return (
    (role === "user" || role === "assistant" || role === "system") && content !== undefined && toolCalls === undefined
  );
}

function hasOwnTraits({ content, stop_reason: stopReason, usage }: JsonObject): boolean {
  if (typeof stopReason === "string" || "cache_read_input_tokens" in objectField(usage)) return true;
  return contentBlocks(content).some(({ type }) => ownBlocks.has(type));
}
