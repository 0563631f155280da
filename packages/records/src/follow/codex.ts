import { tokensOf } from "../readers/anthropic/request-tokens.ts";
import { createTokenCounter } from "../readers/codex/token-counts.ts";
import { objectField, optional, textField, timeField, tokensField } from "../readers/fields.ts";
import type { JsonObject } from "../trajectory/json-fields.ts";
import type { FollowedFormat } from "./request-statement.ts";

/** Codex reports each request with its usage and the sum of all; the newest sum tells a repeated report. */
export const followCodex: FollowedFormat = {
  marks: ["token_count", "turn_context", "thread_settings_applied", "web_search_call"],
  open(memory) {
    const saved = objectField(memory);
    const counter = createTokenCounter();
    let info = objectField(saved["info"]);
    let model = textField(saved["model"]);
    let webSearches = tokensField(saved["webSearches"]) ?? 0;
    counter.read(info);

    return {
      line({ type, payload, timestamp }) {
        const item = objectField(payload);
        if (type === "turn_context") model = textField(item["model"]) ?? model;
        if (item["type"] === "thread_settings_applied")
          model = textField(objectField(item["thread_settings"])["model"]) ?? model;
        if (type === "response_item" && isSearch(item)) webSearches++;
        if (type !== "event_msg" || item["type"] !== "token_count") return undefined;
        const reported = objectField(item["info"]);
        const counted = counter.read(reported);
        if (counted !== "repeat") info = reported;
        if (counted === "repeat" || counted === undefined) return undefined;
        const modes = webSearches === 0 ? {} : { modes: { webSearches } };
        webSearches = 0;
        return {
          ...optional("model", model),
          ...optional("at", timeField(timestamp)),
          tokens: tokensOf(counted.usage),
          ...modes,
        };
      },
      memory: () => ({ info, webSearches, ...optional("model", model) }),
    };
  },
};

/** A search of the provider, which is paid besides the tokens of its request; to open a page is not. */
function isSearch({ type, action }: JsonObject): boolean {
  return type === "web_search_call" && objectField(action)["type"] === "search";
}
