import type { ModelRequest } from "@sheepdog/agent/testing";

/** A result as the agent reads it. */
interface SeenResult {
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  /** The guardian has refused the call. */
  readonly isRefused: boolean;
}

/** What an agent of the demo has before its eyes when it decides what to do next. */
export interface Seen {
  /** Oldest first. */
  readonly results: readonly SeenResult[];
  readonly last: SeenResult | undefined;
  /** How often the guardian has spoken to it. */
  readonly notices: number;
  /** The guardian's words are the newest it has read. */
  readonly isJustTold: boolean;
}

/** Reads a request as a model would: what its calls brought, and what it was told about them. */
export function seenIn({ prompt }: Pick<ModelRequest, "prompt">): Seen {
  const results: SeenResult[] = [];
  let notices = 0;
  let isJustTold = false;
  for (const message of prompt) {
    if (
      message.role === "user" &&
      message.content.some((part) => part.type === "text" && part.text.startsWith("<sheepdog-notice"))
    ) {
      notices += 1;
      isJustTold = true;
    }
    if (message.role !== "tool") continue;
    for (const part of message.content) if (part.type === "tool-result") results.push(resultOf(part));
    isJustTold = results.at(-1)?.isRefused ?? false;
  }
  return { results, last: results.at(-1), notices, isJustTold };
}

type ToolContent = Extract<ModelRequest["prompt"][number], { role: "tool" }>["content"][number];

function resultOf({ toolName, output }: Extract<ToolContent, { type: "tool-result" }>): SeenResult {
  const text = "value" in output && typeof output.value === "string" ? output.value : "";
  return {
    tool: toolName,
    text,
    isError: output.type !== "text",
    isRefused: text.startsWith("Refused by the guardian"),
  };
}
