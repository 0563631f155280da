import type { HookCall, HookEvent } from "../hook-event.ts";

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

/** What an event says about itself, before its type is known. */
export type HookFrame = Pick<HookEvent, "name" | "session" | "subagent" | "cwd" | "recording" | "model" | "asksNobody">;

/** The frame of an event in the fields of Claude Code, which others have taken over; a sentence if one is missing. */
export function frameOf(input: JsonObject, agent: string, asksNobody: boolean): HookFrame | string {
  const name = textOf(input["hook_event_name"]);
  const session = textOf(input["session_id"]);
  if (name === undefined) return `expected a hook event of ${agent}; it has no hook_event_name`;
  if (session === undefined) return `expected a hook event of ${agent}; this ${name} has no session_id`;
  return {
    name,
    session,
    ...optional("subagent", textOf(input["agent_id"])),
    ...optional("cwd", textOf(input["cwd"])),
    ...optional("recording", textOf(input["transcript_path"])),
    ...optional("model", textOf(input["model"])),
    ...optional("asksNobody", asksNobody ? (true as const) : undefined),
  };
}

/** The start or the end of a subagent, which the agent that started it reports. */
export function subagentEvent(
  { subagent: id, ...frame }: HookFrame,
  type: "subagent-start" | "subagent-end",
): HookEvent {
  return id === undefined ? { ...frame, type: "other" } : { ...frame, type, id };
}
