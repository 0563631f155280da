import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import { listField, textField } from "../fields.ts";

/** The text of a message or of a result: a string, or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listField(content)
    .flatMap((part) => (typeof part === "string" ? part : isObject(part) ? (textField(part["text"]) ?? []) : []))
    .join("\n");
}

/** Arguments as the model wrote them: a JSON text, which may be damaged. */
export function parsedArguments(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}

/** An object without these fields. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
