export type { ClaudeAgentGuard, ClaudeAgentGuardState, HookName, Hooks } from "./claude-agent-guard.ts";
export { createClaudeAgentGuard } from "./create-claude-agent-guard.ts";
export type { HookOutput } from "./hook-output.ts";
