import { createHash } from "node:crypto";
import type { AgentEvent } from "@sheepdog/agent";

/** Characters of a text that are kept. */
const MAX_CHARS = 400;
/** Characters of an input, as JSON, that are kept as they are. */
const MAX_INPUT_CHARS = 2_000;

/** An event without the long texts that no list shows. Its kind, its numbers and its times stay. */
export function slimEvent(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case "ToolEnd": {
      const { details: _, ...rest } = event;
      return { ...rest, input: slimInput(event.input), content: "" };
    }
    case "ToolBlocked":
      return { ...event, input: slimInput(event.input), message: "" };
    case "ToolStart":
    case "ApprovalRequested":
      return { ...event, input: slimInput(event.input) };
    default:
      return event;
  }
}

/** An input of a bounded size. Equal inputs stay equal, and different ones different. */
export function slimInput(input: unknown): unknown {
  const json = JSON.stringify(input) ?? "";
  if (json.length <= MAX_INPUT_CHARS) return input;
  const digest = createHash("sha256").update(json).digest("hex");
  if (typeof input !== "object" || input === null || Array.isArray(input)) return { digest };
  const texts = Object.entries(input).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.slice(0, MAX_CHARS)] as const] : [],
  );
  return { ...Object.fromEntries(texts.slice(0, 10)), digest };
}
