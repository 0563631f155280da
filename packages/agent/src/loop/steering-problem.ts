import { findPromptOverflow, type OverflowOptions } from "../context/prompt-overflow.ts";
import type { Message } from "../protocol/messages.ts";
import type { AgentRun } from "./agent-run.ts";

/**
 * Says why the last of some messages to a run cannot be sent: with it, the prompts of the run would not fit into the
 * context. Undefined if it can.
 */
export function steeringProblem(
  { setup: { settings, startedAt }, history }: Pick<AgentRun, "setup" | "history">,
  { system, tools, counter }: Pick<OverflowOptions, "system" | "tools" | "counter">,
  texts: readonly string[],
): string | undefined {
  const { maxContextTokens: maxTokens } = settings;
  const messages = [...history.messages, ...texts.map((text) => steeringMessage(text, startedAt))];
  const overflow = findPromptOverflow({ messages, system, tools, maxTokens, counter, runStartedAt: startedAt });
  if (overflow === undefined) return undefined;
  const tokens = counter.countText(texts.at(-1) ?? "");
  const left = Math.max(0, overflow.roomTokens - (overflow.promptTokens - tokens));
  return (
    `The message has about ${count(tokens)} tokens, and the context of ${count(maxTokens)} (max_context_tokens) has ` +
    `room for ${count(left)} more; it was not sent. Save the text in a file and name the file.`
  );
}

function steeringMessage(text: string, at: number): Message {
  return { role: "user", id: "", at, origin: "person", text };
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
