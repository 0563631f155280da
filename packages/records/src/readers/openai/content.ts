import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import { listField, textField } from "../fields.ts";

/** The text of a content: a text, or a list of parts in any of the forms of the APIs. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listField(content)
    .flatMap((part) => {
      if (typeof part === "string") return part;
      if (!isObject(part)) return [];
      const { text, refusal, type } = part;
      if (typeof type === "string" && /image|file|audio/.test(type)) return `[${type}]`;
      return textField(text) ?? textField(refusal) ?? [];
    })
    .join("\n");
}

/** The arguments of a call, which are JSON in a text; a text that is no JSON stays a text. */
export function callArguments(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}
