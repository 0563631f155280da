import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";

/** Whether only OpenClaw, under this or an earlier name, writes such a line. */
export function isOpenClaw({ type, cwd, customType, message }: JsonObject): boolean {
  if (type === "session") return typeof cwd === "string" && /[\\/]\.(?:openclaw|clawdbot|moltbot)(?:[\\/]|$)/.test(cwd);
  if (type === "custom") return typeof customType === "string" && /^(?:openclaw|model-snapshot$)/.test(customType);
  return isObject(message) && message["provider"] === "openclaw";
}

/** Whether OpenClaw wrote this reply itself: a copy of what it sent to a chat, or a sentence of its gateway. */
export function isSyntheticReply({ provider, model }: JsonObject): boolean {
  return provider === "openclaw" && (model === "delivery-mirror" || model === "gateway-injected");
}

/** Whether OpenClaw wrote this prompt: a heartbeat, a timer, an event, or the report of a subagent. */
export function isAutomaticPrompt(text: string): boolean {
  return automaticPrompt.test(text);
}

/** Newer versions put the time before a prompt. */
const automaticPrompt = new RegExp(
  `^(?:\\[[A-Z][a-z]{2} [^\\]]*\\] )?(?:${[
    ...[
      "System: \\[",
      "\\[System Message\\]",
      "\\[cron:",
      "\\[Subagent (?:Context|Task)\\]",
      "OpenClaw runtime context",
    ],
    ...["Read HEARTBEAT\\.md", "Pre-compaction memory flush", "A new session was started via /(?:new|reset)"],
    ...["Continue where you left off\\. The previous model attempt"],
  ].join("|")})`,
);
