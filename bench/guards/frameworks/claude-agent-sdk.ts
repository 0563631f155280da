import { createClaudeAgentGuard } from "../../../packages/integrations/dist/claude-agent-sdk/index.js";
import { type Framework, talkOf } from "../framework.ts";

/** The hooks and the messages of the Claude Agent SDK. Its agent is a program of its own, which is not timed. */
export const claudeAgentSdk: Framework = {
  name: "claude-agent-sdk",
  load: async () => ({ guardAlone }),
};

async function guardAlone(turnCount: number): Promise<void> {
  const guard = createClaudeAgentGuard();
  const fire = async (name: keyof typeof guard.hooks, fields: object) => {
    const input = { hook_event_name: name, session_id: "s", transcript_path: "t", cwd: "/", ...fields };
    for (const { hooks } of guard.hooks[name]) for (const hook of hooks) await hook(input);
  };
  for (const { callId, path, result, inputTokens } of talkOf(turnCount).turns) {
    const usage = { input_tokens: inputTokens, output_tokens: 60 };
    guard.observe({ type: "assistant", parent_tool_use_id: null, message: { id: callId, model: "m", usage } });
    const call = { tool_name: "Read", tool_input: { file_path: path }, tool_use_id: callId };
    await fire("PreToolUse", call);
    await fire("PostToolUse", { ...call, tool_response: result });
    await fire("PostToolBatch", { tool_calls: [{ ...call, tool_response: result }] });
  }
  if (guard.stop !== undefined) throw new Error("Expected a run that is not stopped.");
}
