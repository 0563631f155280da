import { findPromptOverflow, isOverflowUncertain, type OverflowOptions } from "../context/prompt-overflow.ts";
import { escapeNotices } from "../guard/notice.ts";
import type { AgentRun } from "./agent-run.ts";
import type { SteeringCheck } from "./inbox.ts";
import { formatCount } from "./prompt-too-long.ts";

/** Creates the check of the messages to a run: with them, its prompts have to fit into its context. */
export function createSteeringCheck(
  { setup: { settings, startedAt, tools }, history }: Pick<AgentRun, "setup" | "history">,
  { system, counter }: Pick<OverflowOptions, "system" | "counter">,
): SteeringCheck {
  const { maxContextTokens: maxTokens } = settings;
  const optionsWith = (waiting: Parameters<SteeringCheck["problem"]>[0]): OverflowOptions => {
    const added = waiting.map(
      ({ text, origin }) => ({ role: "user", id: "", at: startedAt, origin, text: escapeNotices(text) }) as const,
    );
    const messages = [...history.messages, ...added];
    return { messages, system, tools: tools.definitions, maxTokens, counter, runStartedAt: startedAt };
  };
  return {
    problem(waiting) {
      const overflow = findPromptOverflow(optionsWith(waiting));
      if (overflow === undefined) return undefined;
      const tokens = counter.countText(waiting.at(-1)?.text ?? "");
      const left = Math.max(0, overflow.roomTokens - (overflow.promptTokens - tokens));
      return (
        `The message has about ${formatCount(tokens)} tokens, and the context of ${formatCount(maxTokens)} ` +
        `(max_context_tokens) has room for ${formatCount(left)} more; it was not sent. Save the text in a file and ` +
        "name the file."
      );
    },
    countExactly: (waiting) => (isOverflowUncertain(optionsWith(waiting)) ? counter.load() : undefined),
  };
}
