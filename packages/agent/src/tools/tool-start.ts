import { inferKind } from "@sheepdog/guardian";
import type { AgentEventBody } from "../protocol/events.ts";
import type { CallPart } from "../protocol/messages.ts";
import { plainData } from "./plain-data.ts";
import type { Tool } from "./tool.ts";

/** The event that a call starts. The kind of a tool that declares none is inferred as the guardian does. */
export function toolStart({ id, tool, input }: CallPart, kind: Tool["kind"]): AgentEventBody {
  const data = input === undefined ? undefined : plainData(input);
  return { type: "ToolStart", callId: id, tool, input: data, kind: kind ?? inferKind(tool, data) };
}
