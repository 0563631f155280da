import type { JsonObject } from "../trajectory/json-fields.ts";

/** A parsed value, or where the JSON breaks. */
export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Parses JSON. The reason holds no quote: a recording may contain secrets. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, why: describeSyntaxError(error) };
  }
}

function describeSyntaxError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const position = /position \d+/.exec(message)?.[0];
  if (position !== undefined) return `it breaks at ${position}`;
  return /end of JSON/.test(message) ? "it ends too early" : "it does not begin like a value";
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
