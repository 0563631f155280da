import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { Message } from "../protocol/messages.ts";

/** Everything of a request that a model reads, to be counted. */
export function requestTexts(
  system: string,
  messages: readonly Message[],
  tools: readonly LanguageModelV3FunctionTool[],
): readonly string[] {
  return [system, ...tools.map((tool) => JSON.stringify(tool)), ...messages.flatMap(textsOf)];
}

function textsOf(message: Message): readonly string[] {
  if (message.role === "user") return [message.text];
  if (message.role === "tool") return [message.content];
  return message.parts.map((part) =>
    part.type === "call" ? `${part.tool} ${JSON.stringify(part.input ?? {})}` : part.text,
  );
}
