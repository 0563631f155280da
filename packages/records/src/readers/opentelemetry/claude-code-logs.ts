import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, objectField, textField } from "../fields.ts";
import { readAttributes, textOf } from "./attributes.ts";
import type { RawSpan } from "./raw-span.ts";

/** Log records of Claude Code that say the same as its spans, which it exports only if asked to. */
const spanNames: Readonly<Record<string, string>> = {
  "claude_code.api_request": "claude_code.llm_request",
  "claude_code.tool_result": "claude_code.tool",
  "claude_code.user_prompt": "claude_code.interaction",
};

/** The log records of an export request that stand for requests, calls and prompts. */
export function spansOfLogs(value: JsonObject): readonly RawSpan[] {
  return listField(value["resourceLogs"]).flatMap((group) => {
    const { resource, scopeLogs } = objectField(group);
    const records = listField(scopeLogs).flatMap((scope) => listField(objectField(scope)["logRecords"]));
    return records.flatMap((record) => (isObject(record) ? spanOfRecord(record, objectField(resource)) : []));
  });
}

function spanOfRecord(record: JsonObject, resource: JsonObject): readonly RawSpan[] {
  const { body, eventName, timeUnixNano, observedTimeUnixNano, attributes } = record;
  const about = readAttributes(attributes);
  const event = textField(eventName) ?? textField(objectField(body)["stringValue"]) ?? "";
  const name = spanNames[event] ?? spanNames[`claude_code.${textOf(about, ["event.name"]) ?? ""}`];
  const session = textOf(about, ["session.id"]);
  if (name === undefined || session === undefined) return [];
  const id = textOf(about, ["request_id", "tool_use_id"]) ?? `${name} at ${textField(timeUnixNano) ?? ""}`;
  const sequence = about.get("event.sequence");
  const spanId = `log ${typeof sequence === "number" || typeof sequence === "string" ? sequence : id}`;
  return [{ span: { name, traceId: session, spanId, attributes, timeUnixNano, observedTimeUnixNano }, resource }];
}
