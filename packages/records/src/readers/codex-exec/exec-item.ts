import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, objectField, optional, textField } from "../fields.ts";
import type { CallResult } from "../step-list.ts";

/** A call as an item shows it. */
export interface ExecCall {
  readonly name: string;
  readonly args: unknown;
  readonly result: CallResult;
  /** Whether it has its result as soon as it starts. */
  readonly isInstant?: true;
}

/** Reads an item that is a call; undefined for others. */
export function callItem(item: JsonObject): ExecCall | undefined {
  switch (item["type"]) {
    case "command_execution":
      return { name: "command_execution", args: { command: item["command"] ?? null }, result: commandResult(item) };
    case "file_change":
      return {
        name: "file_change",
        args: { changes: item["changes"] ?? null },
        result: { result: item["status"] ?? null, ...failure(item) },
      };
    case "mcp_tool_call":
      return { name: mcpName(item), args: item["arguments"] ?? null, result: mcpResult(item) };
    case "collab_tool_call":
      return {
        name: textField(item["tool"]) ?? "collab_tool_call",
        args: { prompt: item["prompt"] ?? null, receivers: item["receiver_thread_ids"] ?? null },
        result: { result: item["agents_states"] ?? null, ...failure(item), ...spawned(item) },
      };
    case "web_search":
      return {
        name: "web_search",
        args: { query: item["query"] ?? null, ...optional("action", item["action"]) },
        result: { result: null, isResultUnknown: true, isError: null },
      };
    case "todo_list":
      return {
        name: "todo_list",
        args: { items: item["items"] ?? null },
        result: { result: null, isError: null },
        isInstant: true,
      };
    default:
      return undefined;
  }
}

function commandResult(item: JsonObject): CallResult {
  const { aggregated_output: result = null, exit_code: exitCode } = item;
  if (item["status"] === "declined") return { result, isError: true, status: "denied" };
  return typeof exitCode === "number" ? { result, isError: exitCode !== 0 } : { result, ...failure(item) };
}

function failure({ status }: JsonObject): { readonly isError: boolean | null } {
  return { isError: status === "failed" ? true : status === "completed" ? false : null };
}

/** The name by which the model calls the tool. */
function mcpName({ server, tool }: JsonObject): string {
  return `mcp__${textField(server) ?? "unnamed"}__${textField(tool) ?? "unnamed"}`;
}

function mcpResult(item: JsonObject): CallResult {
  const { error, result } = item;
  if (isObject(error)) return { result: error["message"] ?? null, isError: true };
  return { result: objectField(result)["content"] ?? result ?? null, ...failure(item) };
}

function spawned(item: JsonObject): { readonly child?: string } {
  return item["tool"] === "spawn_agent" ? optional("child", textField(listField(item["receiver_thread_ids"])[0])) : {};
}
