import { asRecord } from "../perceive/as-record.ts";
import { canonical } from "../perceive/canonical.ts";
import { parseArguments } from "../perceive/parse-arguments.ts";

/** A tool call of any message format. */
export interface ToolCall {
  readonly name: string;
  /** Parsed if it was JSON text. */
  readonly args: unknown;
}

/**
 * The tool calls of an assistant message: `tool_calls` (OpenAI), `content` parts (Anthropic, AI SDK) or `toolCalls`.
 */
export function toolCallsOf(message: unknown): readonly ToolCall[] {
  const { role, tool_calls, toolCalls, content } = asRecord(message);
  if (role !== "assistant") return [];
  const parts = Array.isArray(content) ? content.filter(isCallPart) : [];
  // Only the first of them: some libraries write the same calls twice.
  return [tool_calls, toolCalls, parts].map(readToolCalls).find((calls) => calls.length > 0) ?? [];
}

/** The tool calls of a list, in any of these formats; entries without a name are skipped. */
export function readToolCalls(list: unknown): readonly ToolCall[] {
  return Array.isArray(list) ? list.flatMap(readToolCall) : [];
}

function readToolCall(call: unknown): readonly ToolCall[] {
  const fields = { ...asRecord(call), ...asRecord(asRecord(call)["function"]) };
  const name = fields["name"] ?? fields["toolName"];
  if (typeof name !== "string" || name === "") return [];
  return [{ name, args: parseArguments(fields["arguments"] ?? fields["input"] ?? fields["args"]) }];
}

/** A value as text, equal for equal values in any order of keys; text stays as it is. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : canonical(value);
}

function isCallPart(part: unknown): boolean {
  const { type } = asRecord(part);
  return type === "tool_use" || type === "tool-call";
}
