import type { JsonObject } from "../../trajectory/json-fields.ts";
import { listField, objectField, textField } from "../fields.ts";

/** Elements that codex writes in the user's name. */
const injectedElements: readonly string[] = [
  "environment_context",
  "environments_instructions",
  "user_instructions",
  "INSTRUCTIONS",
  "apps_instructions",
  "skills_instructions",
  "plugins_instructions",
  "recommended_plugins",
  "collaboration_mode",
  "multi_agent_mode",
  "multi_agent_role",
  "realtime_conversation",
  "realtime_delegation",
  "context_window",
  "context_window_guidance",
  "turn_aborted",
  "subagent_notification",
  "user_shell_command",
  "user_action",
  "skill",
  "model_switch",
  "personality_spec",
  "permissions",
  "tools",
  "rollout_budget",
  "current_time_reminder",
  "image_resize_notice",
  "guardian_sync_review",
  "goal_context",
  "codex_internal_context",
  "hook_prompt",
];

const INJECTED = new RegExp(
  `^\\s*(?:<(?:${injectedElements.join("|")})\\b|# AGENTS\\.md instructions|Warning: apply_patch was requested via)`,
);

/** An editor writes what is open in it before this heading. */
const REQUEST_HEADING = "## My request for Codex:";

/** The text of a message item, part by part. */
function messageParts({ content }: JsonObject): readonly string[] {
  if (typeof content === "string") return [content];
  return listField(content).flatMap((part) => textField(objectField(part)["text"]) ?? []);
}

/** The text of a message item. */
export function messageText(item: JsonObject): string {
  return messageParts(item).join("\n");
}

/** What a person wrote in a message of the role `user`; undefined if codex wrote it itself. */
export function personText(item: JsonObject): string | undefined {
  const parts = messageParts(item).filter((part) => !INJECTED.test(part));
  const text = parts.join("\n");
  const request = text.lastIndexOf(REQUEST_HEADING);
  return textField((request < 0 ? text : text.slice(request + REQUEST_HEADING.length)).trim());
}
