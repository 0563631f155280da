import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { textField } from "../fields.ts";

/** The blocks of a message; a text is one block. */
export function contentBlocks(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The text of a message without its calls, results and reasoning. An image is a word. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return contentBlocks(content)
    .flatMap((block) => blockText(block) ?? [])
    .join("\n");
}

function blockText({ type, text, title }: JsonObject): string | undefined {
  if (type === "text") return textField(text);
  if (type === "image" || type === "document") return `[${type}]`;
  return type === "web_search_result" ? textField(title) : undefined;
}

/** A call in a reply: of a tool, of a tool of the server, or of an MCP server. */
export interface ToolUse {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

export function toolUse({ type, id, name, input }: JsonObject): ToolUse | undefined {
  if (typeof type !== "string" || !type.endsWith("tool_use")) return undefined;
  return { id: textField(id), name: textField(name) ?? "unnamed tool", input };
}

/** A result in a message. */
export interface ToolResult {
  readonly id: string | undefined;
  readonly isError: boolean;
  /** The text that the model received; the content as it is if it has no text. */
  readonly content: unknown;
}

export function toolResult({ type, tool_use_id: id, content, is_error: isError }: JsonObject): ToolResult | undefined {
  if (typeof type !== "string" || !type.endsWith("tool_result")) return undefined;
  return { id: textField(id), isError: isError === true, content: resultText(content) };
}

function resultText(content: unknown): unknown {
  const text = contentText(content);
  return text === "" && isObject(content) ? content : text;
}
