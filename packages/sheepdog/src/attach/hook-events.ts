import type { HookAgent } from "@sheepdog/integrations/hooks";

/** The events to attach, in each agent's own words. */
export const hookEvents: Readonly<Record<Exclude<HookAgent, "opencode">, readonly string[]>> = {
  "claude-code": [
    ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"],
    ...["Notification", "SubagentStart", "SubagentStop", "PostCompact", "Stop", "StopFailure", "SessionEnd"],
  ],
  codex: [
    ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostCompact"],
    ...["SubagentStart", "SubagentStop", "Stop", "SessionEnd"],
  ],
  "gemini-cli": [
    ...["SessionStart", "BeforeAgent", "BeforeModel", "BeforeTool", "AfterTool", "AfterAgent"],
    ...["Notification", "PreCompress", "SessionEnd"],
  ],
  cursor: [
    ...["sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure"],
    ...["subagentStart", "subagentStop", "preCompact", "afterAgentResponse", "stop", "sessionEnd"],
  ],
};
