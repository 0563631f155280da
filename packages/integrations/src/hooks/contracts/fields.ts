import type { HookCall } from "../hook-event.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** An object; an empty one for anything else, so that one odd field does not lose an event. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}; // checked
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An object with this one key, or without any key when the value is undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }; // a computed key has type string
}

/** The call of an event, in the fields that Claude Code has and others have taken over; undefined if one is missing. */
export function callOf(input: JsonObject): HookCall | undefined {
  const id = textOf(input["tool_use_id"]);
  const tool = textOf(input["tool_name"]);
  return id === undefined || tool === undefined ? undefined : { id, tool, args: input["tool_input"] };
}
