/** A value that was read from JSON text. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Parses JSON text. Throws when it is no JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Parses JSON text; undefined when it is no JSON. */
export function tryParseJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined; // the caller keeps the text as it is
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object; otherwise an empty object. */
export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a list; otherwise an empty list. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text; otherwise an empty text. */
export function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
