import { sha256 } from "../platform/sha256.ts";
import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject } from "../trajectory/parse-json.ts";
import { listField, objectField, textField } from "./fields.ts";

/**
 * Digests of the beginnings of a conversation: one for each message, of that message and of all before it. A log of
 * requests repeats the messages at each turn, and a later request continues the conversation whose digest it has.
 */
export function prefixDigests(messages: readonly unknown[]): readonly string[] {
  let digest = "";
  return messages.map((message) => {
    digest = sha256.of(`${digest} ${messageKey(message)}`);
    return digest;
  });
}

/**
 * What stays the same in a message when it is sent again: its calls and its text. Marks of the cache move on, results
 * are shortened, reasoning is left out, and programs add reminders.
 */
function messageKey(message: unknown): string {
  const { role, type, content, ...fields } = objectField(message);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listField(content).filter(isObject);
  const calls = listField(fields["tool_calls"]).map((call) => ({ tool_call_id: objectField(call)["id"] }));
  const ids = [fields, ...blocks, ...calls].flatMap(callIds);
  if (ids.length > 0) return JSON.stringify([role ?? type, ids]);
  const texts = blocks.flatMap(({ text }) => textField(text)?.trim() ?? []);
  const own = texts.filter((text) => text !== "" && !text.startsWith("<system-reminder>"));
  return JSON.stringify([role ?? type, own, fields["function_call"]]);
}

/** The id of a call, or of the call that a result answers. */
function callIds({ type, id, call_id, tool_call_id, tool_use_id }: JsonObject): readonly string[] {
  const isCall = typeof type === "string" && type.endsWith("tool_use");
  const callId = call_id ?? tool_call_id ?? tool_use_id ?? (isCall ? id : undefined);
  return typeof callId === "string" ? [callId] : [];
}
