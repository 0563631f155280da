import { asRecord } from "../perceive/as-record.ts";
import { canonical } from "../perceive/canonical.ts";
import { parseArguments } from "../perceive/parse-arguments.ts";

/** A tool call, whoever wrote it down. */
export interface ToolCall {
  readonly name: string;
  /** As a value where it was JSON text. */
  readonly args: unknown;
}

/** The tool calls of an assistant message: OpenAI (`tool_calls`), Anthropic and AI SDK (parts of `content`), or plain (`toolCalls`). */
export function toolCallsOf(message: unknown): readonly ToolCall[] {
  const { role, tool_calls, toolCalls, content } = asRecord(message);
  if (role !== "assistant") return [];
  const parts = Array.isArray(content) ? content.filter(isCallPart) : [];
  // One place only: some libraries write the same calls down twice.
  return [tool_calls, toolCalls, parts].map(readToolCalls).find((calls) => calls.length > 0) ?? [];
}

/** The tool calls of a list, in any of these shapes; what has no name is none. */
export function readToolCalls(list: unknown): readonly ToolCall[] {
  return Array.isArray(list) ? list.flatMap(readToolCall) : [];
}

function readToolCall(call: unknown): readonly ToolCall[] {
  const it = { ...asRecord(call), ...asRecord(asRecord(call)["function"]) };
  const name = it["name"] ?? it["toolName"];
  if (typeof name !== "string" || name === "") return [];
  return [{ name, args: parseArguments(it["arguments"] ?? it["input"] ?? it["args"]) }];
}

/** A value as text that is equal for equal values, in whatever order their keys were written; text is taken as it is. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : canonical(value);
}

function isCallPart(part: unknown): boolean {
  const { type } = asRecord(part);
  return type === "tool_use" || type === "tool-call";
}
