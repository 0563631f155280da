import type { ModelRequest } from "@sheepdog/agent/testing";

/** A tool result as the agent reads it. */
interface ObservedResult {
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  /** The guardian refused the call. */
  readonly isRefused: boolean;
}

/** What a scripted agent knows when it decides what to do next. */
export interface ObservedRun {
  /** Oldest first. */
  readonly results: readonly ObservedResult[];
  readonly last: ObservedResult | undefined;
  /** The number of notices from the guardian. */
  readonly notices: number;
  /** The newest message is a notice or a refusal of the guardian. */
  readonly hasNewNotice: boolean;
}

/** Reads a request as a model would: the results of its calls and the notices of the guardian. */
export function observeRun({ prompt }: Pick<ModelRequest, "prompt">): ObservedRun {
  const results: ObservedResult[] = [];
  let notices = 0;
  let hasNewNotice = false;
  for (const message of prompt) {
    if (
      message.role === "user" &&
      message.content.some((part) => part.type === "text" && part.text.startsWith("<sheepdog-notice"))
    ) {
      notices += 1;
      hasNewNotice = true;
    }
    if (message.role !== "tool") continue;
    for (const part of message.content) if (part.type === "tool-result") results.push(resultOf(part));
    hasNewNotice = results.at(-1)?.isRefused ?? false;
  }
  return { results, last: results.at(-1), notices, hasNewNotice };
}

type ToolContent = Extract<ModelRequest["prompt"][number], { role: "tool" }>["content"][number];

function resultOf({ toolName, output }: Extract<ToolContent, { type: "tool-result" }>): ObservedResult {
  const text = "value" in output && typeof output.value === "string" ? output.value : "";
  return {
    tool: toolName,
    text,
    isError: output.type !== "text",
    isRefused: text.startsWith("Refused by the guardian"),
  };
}
