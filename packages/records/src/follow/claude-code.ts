import { requestModes } from "../readers/anthropic/request-modes.ts";
import { requestTokens } from "../readers/anthropic/request-tokens.ts";
import { requestKey } from "../readers/claude-code/request-key.ts";
import { dollarsField, objectField, optional, textField, timeField } from "../readers/fields.ts";
import type { FollowedFormat } from "./request-statement.ts";

/** A reply of Claude Code has a line for each of its blocks, and each states the usage of all. */
export const followClaudeCode: FollowedFormat = {
  marks: ['"usage"'],
  open: () => ({
    line({ type, message, requestId, timestamp, costUSD: costUsd }) {
      const { model, usage, ...reply } = objectField(message);
      const tokens = requestTokens(usage);
      if (type !== "assistant" || model === "<synthetic>" || tokens === undefined) return undefined;
      return {
        ...optional("request", requestKey(reply, requestId)),
        ...optional("model", textField(model)),
        ...optional("at", timeField(timestamp)),
        ...optional("costUsd", dollarsField(costUsd)),
        tokens,
        modes: requestModes(usage),
      };
    },
    memory: () => undefined,
  }),
};
