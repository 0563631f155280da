import { sha256 } from "../../platform/sha256.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedCall } from "../../trajectory/recorded-run.ts";
import { listField, objectField, textField } from "../fields.ts";
import type { CallResult } from "../step-list.ts";
import { callOutput, contentText } from "./call-output.ts";
import { idleItems } from "./known-kinds.ts";
import { messageText, personText } from "./messages.ts";

/** What an item of a response is for the run. */
export type ItemContent =
  | { readonly type: "text"; readonly key: string; readonly text: string }
  | { readonly type: "reasoning"; readonly key: string }
  | {
      readonly type: "call";
      readonly id: string | undefined;
      readonly name: string;
      readonly args: unknown;
      readonly kind?: "poll";
    }
  /** A call with its result: the provider's server executed the tool. */
  | {
      readonly type: "server-call";
      readonly id: string | undefined;
      readonly name: string;
      readonly args: unknown;
      readonly result: CallResult;
    }
  | { readonly type: "output"; readonly id: string | undefined; readonly result: CallResult }
  | { readonly type: "person"; readonly text: string }
  | { readonly type: "compacted" }
  | { readonly type: "nothing" }
  | { readonly type: "unknown"; readonly kind: string };

const nothing: ItemContent = { type: "nothing" };

/** Reads an item of a response. */
export function itemContent(item: JsonObject): ItemContent {
  const kind = textField(item["type"]) ?? "item without a type";
  const id = textField(item["call_id"]) ?? textField(item["id"]);
  switch (kind) {
    case "message":
      return messageContent(item);
    case "reasoning":
      return { type: "reasoning", key: itemKey(item, item["encrypted_content"] ?? item["summary"]) };
    case "function_call":
      return { type: "call", id, ...functionCall(item) };
    case "custom_tool_call":
      return { type: "call", id, name: toolName(item), args: { input: item["input"] ?? null } };
    case "local_shell_call":
      return { type: "call", id, name: "local_shell", args: item["action"] ?? null };
    case "tool_search_call":
      return { type: "call", id, name: "tool_search", args: item["arguments"] ?? null };
    case "function_call_output":
    case "custom_tool_call_output":
      return { type: "output", id, result: callOutput(item["output"]) };
    case "tool_search_output":
      return { type: "output", id, result: { result: item["tools"] ?? null, isError: null } };
    case "web_search_call":
      return serverCall(item, id, "web_search", item["action"] ?? null);
    case "image_generation_call":
      return serverCall(item, id, "image_generation", { prompt: item["revised_prompt"] ?? null });
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
      return { type: "compacted" };
    default:
      return idleItems.has(kind) ? nothing : { type: "unknown", kind: `response_item ${kind}` };
  }
}

function messageContent(item: JsonObject): ItemContent {
  if (item["role"] === "assistant") {
    const text = messageText(item);
    return { type: "text", key: itemKey(item, text), text };
  }
  const text = item["role"] === "user" ? personText(item) : undefined;
  return text === undefined ? nothing : { type: "person", text };
}

/** The id of an item; older recordings have none, and its content stands for it. */
function itemKey(item: JsonObject, content: unknown): string {
  return textField(item["id"]) ?? sha256.of(typeof content === "string" ? content : JSON.stringify(content ?? null));
}

function functionCall(item: JsonObject): Pick<RecordedCall, "name" | "args"> & { readonly kind?: "poll" } {
  const name = toolName(item);
  const args = parsedArguments(item["arguments"]);
  return { name, args, ...(isPoll(name, args) ? { kind: "poll" } : {}) };
}

/** Writing no characters to a command that runs waits for its output. */
function isPoll(name: string, args: unknown): boolean {
  return name === "write_stdin" && isObject(args) && (args["chars"] ?? "") === "";
}

function toolName({ name, namespace }: JsonObject): string {
  return `${textField(namespace) ?? ""}${textField(name) ?? "unnamed tool"}`;
}

function parsedArguments(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}

function serverCall(item: JsonObject, id: string | undefined, name: string, args: unknown): ItemContent {
  const status = textField(item["status"]);
  const isError = status === "failed" ? true : status === "completed" ? false : null;
  return { type: "server-call", id, name, args, result: { result: null, isResultUnknown: true, isError } };
}

/** The end of a call as an event tells it. */
export function callEnd(kind: string, event: JsonObject): Partial<CallResult> | undefined {
  switch (kind) {
    case "exec_command_end":
      return typeof event["exit_code"] === "number" ? { isError: event["exit_code"] !== 0 } : {};
    case "patch_apply_end":
      return event["status"] === "declined"
        ? { isError: true, status: "denied" }
        : typeof event["success"] === "boolean"
          ? { isError: !event["success"] }
          : {};
    case "mcp_tool_call_end":
      return mcpEnd(objectField(event["result"]));
    case "collab_agent_spawn_end":
      return childEnd(event["new_thread_id"]);
    case "sub_agent_activity":
      return event["kind"] === "started" ? childEnd(event["agent_thread_id"]) : {};
    default:
      return undefined;
  }
}

function childEnd(thread: unknown): Partial<CallResult> {
  const child = textField(thread);
  return child === undefined ? {} : { child };
}

/** Rust's `Result`: `{"Ok": …}` or `{"Err": …}`. */
function mcpEnd(result: JsonObject): Partial<CallResult> {
  if ("Err" in result) return { isError: true };
  const { isError, is_error } = objectField(result["Ok"]);
  return "Ok" in result ? { isError: (isError ?? is_error) === true } : {};
}

/** The text of an item of the newer history, `{type: "UserMessage", content}`; undefined for others. */
export function userMessageItem(item: JsonObject): string | undefined {
  if (item["type"] !== "UserMessage" && item["type"] !== "userMessage") return undefined;
  return contentText(listField(item["content"]));
}
