import { isObject, type Json, type JsonObject, tryParseJson } from "../json.ts";

/** Arguments are an object or its JSON text. Anything else becomes the argument `input`. */
export function toArguments(value: Json | undefined): JsonObject {
  if (isObject(value)) return value;
  const parsed = typeof value === "string" ? tryParseJson(value) : undefined;
  return isObject(parsed) ? parsed : { input: parsed ?? value ?? null };
}
