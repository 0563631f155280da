import { tokensOf } from "../readers/anthropic/request-tokens.ts";
import { optional, textField, timeField } from "../readers/fields.ts";
import { messageUsage } from "../readers/gemini-cli/chat-message.ts";
import type { FollowedFormat } from "./request-statement.ts";

/** gemini-cli writes a message again when something of it changes. Checkpoints only repeat messages. */
export const followGeminiCli: FollowedFormat = {
  marks: ['"tokens"'],
  open: () => ({
    line(message) {
      const usage = message["type"] === "gemini" ? messageUsage(message) : undefined;
      if (usage === undefined) return undefined;
      return {
        ...optional("request", usage.request),
        ...optional("model", textField(message["model"])),
        ...optional("at", timeField(message["timestamp"])),
        tokens: tokensOf(usage),
      };
    },
    memory: () => undefined,
  }),
};
